package dev.flotilla.orchestrator.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReferencePage;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/configuration.md matches the configuration codec; {@code -Dflotilla.rewrite=true} regenerates its
 * tables.
 */
class OrchestratorConfigPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");

    @Test
    void documentedTableMatchesTheCodec() throws IOException {
        String table = ConfigReferencePage.markdownTable(
                OrchestratorConfig.codec(settings -> List.of()), OrchestratorConfig.SHORT_NAMES);
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "orchestrator", table))
                .as("run with -Dflotilla.rewrite=true to regenerate the page")
                .isEqualTo(table);
    }

    @Test
    void readsTheEnvironmentAlone() {
        var read = OrchestratorConfig.reader(settings -> List.of())
                .read(null, Map.of("FLOTILLA_BOOTSTRAP_SERVERS", "localhost:9092"));
        assertThat(read)
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        validConfig -> assertThat(validConfig.redacted()).contains("\"listen\": \"127.0.0.1:0\""));
    }

    @Test
    void rejectsAnEmptyConfiguration() {
        var read = OrchestratorConfig.reader(settings -> List.of()).read(null, Map.of());
        assertThat(read)
                .isInstanceOfSatisfying(
                        ConfigReadResult.InvalidConfig.class,
                        invalidConfig -> assertThat(invalidConfig.report())
                                .contains("kafka")
                                .contains("must be given"));
    }
}
