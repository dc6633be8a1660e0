package dev.flotilla.clusterapi.config;

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
class ClusterApiExtensionConfigPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");

    @Test
    void pageHasTheTableThatTheCodecDeclares() throws IOException {
        String table = ConfigReferencePage.markdownTable(ClusterApiExtensionConfig.codec(), Map.of());
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "cluster-api-extension", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void nothingIsRequired() {
        assertThat(ClusterApiExtensionConfig.reader().read(null, Map.of()))
                .isInstanceOf(ConfigReadResult.ValidConfig.class);
    }

    @Test
    void settingsComeFromVariables() {
        assertThat(ClusterApiExtensionConfig.reader().read(null, Map.of("FLOTILLA_KUBERNETES_KEPT_TASKS", "1d")))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        read -> assertThat(((ClusterApiExtensionConfig) read.value())
                                        .kubernetes()
                                        .keptTasks())
                                .isEqualTo(Duration.ofDays(1)));
    }
}
