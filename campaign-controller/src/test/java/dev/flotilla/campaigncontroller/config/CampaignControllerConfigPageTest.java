package dev.flotilla.campaigncontroller.config;

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
class CampaignControllerConfigPageTest {
    private static final Path PAGE = Path.of("../docs/configuration.md");

    @Test
    void pageHasTheTableThatTheCodecDeclares() throws IOException {
        String table = ConfigReferencePage.markdownTable(
                CampaignControllerConfig.codec(settings -> List.of()), CampaignControllerConfig.SHORT_NAMES);
        assertThat(GeneratedPageSection.readOrRewrite(PAGE, "campaign-controller", table))
                .as("rewritten by -Dflotilla.rewrite=true")
                .isEqualTo(table);
    }

    @Test
    void onlyTheBrokersAreRequired() {
        assertThat(CampaignControllerConfig.reader(settings -> List.of())
                        .read(
                                null,
                                Map.of(
                                        "FLOTILLA_BOOTSTRAP_SERVERS",
                                        "k:9092",
                                        "FLOTILLA_KUBERNETES_NAMESPACE",
                                        "fleet")))
                .isInstanceOfSatisfying(
                        ConfigReadResult.ValidConfig.class,
                        read -> assertThat(((CampaignControllerConfig) read.value())
                                        .kubernetes()
                                        .namespace())
                                .isEqualTo("fleet"));
        assertThat(CampaignControllerConfig.reader(settings -> List.of()).read(null, Map.of()))
                .isInstanceOf(ConfigReadResult.InvalidConfig.class);
    }
}
