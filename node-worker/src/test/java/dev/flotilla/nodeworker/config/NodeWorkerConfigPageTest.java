package dev.flotilla.nodeworker.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReferencePage;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration page shows what the code reads; {@code -Dflotilla.rewrite=true} regenerates its table. */
class NodeWorkerConfigPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");

    @Test
    void pageHasTheTableThatTheCodecDeclares() throws IOException {
        String table = ConfigReferencePage.markdownTable(
                NodeWorkerConfig.codec(settings -> List.of()), NodeWorkerConfig.SHORT_NAMES);
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "node-worker", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void environmentVariablesAloneAreEnough() {
        var read = NodeWorkerConfig.reader(settings -> List.of())
                .read(null, Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "localhost:9092", "FLOTILLA_SITE", "east"));
        assertThat(read).isInstanceOf(ConfigReadResult.ValidConfig.class);
    }

    @Test
    void siteIsRequired() {
        var read = NodeWorkerConfig.reader(settings -> List.of())
                .read(null, Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "localhost:9092"));
        assertThat(read)
                .isInstanceOfSatisfying(
                        ConfigReadResult.InvalidConfig.class,
                        invalidConfig -> assertThat(invalidConfig.report())
                                .contains("site must be given as FLOTILLA_SITE or in the file"));
    }
}
