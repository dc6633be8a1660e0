package dev.flotilla.nodeupgrader.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.config.ConfigReadResult;
import dev.flotilla.runtime.config.ConfigReferencePage;
import dev.flotilla.testkit.page.GeneratedPageSection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The configuration page shows what the code reads; {@code -Dflotilla.rewrite=true} regenerates its table. */
class NodeUpgraderConfigPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");

    @Test
    void pageHasTheTableThatTheCodecDeclares() throws IOException {
        String table = ConfigReferencePage.markdownTable(NodeUpgraderConfig.codec(), Map.of());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "node-upgrader", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void nothingIsRequired() {
        assertThat(NodeUpgraderConfig.reader().read(null, Map.of())).isInstanceOf(ConfigReadResult.ValidConfig.class);
    }

    @Test
    void settingsComeFromVariables() {
        assertThat(NodeUpgraderConfig.reader().read(null, Map.of("FLOTILLA_KUBERNETES_POLL_INTERVAL", "5s")))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        read -> assertThat(((NodeUpgraderConfig) read.value())
                                        .kubernetes()
                                        .pollInterval())
                                .isEqualTo(Duration.ofSeconds(5)));
    }

    @Test
    void kafkaIsNoSettingOfIt() {
        assertThat(NodeUpgraderConfig.reader().read(null, Map.of("FLOTILLA_KAFKA_BOOTSTRAP_SERVERS", "k:9092")))
                .isInstanceOf(ConfigReadResult.InvalidConfig.class);
    }
}
