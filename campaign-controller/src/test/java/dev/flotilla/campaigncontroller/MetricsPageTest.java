package dev.flotilla.campaigncontroller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics page shows the metrics of a campaign controller; {@code -Dflotilla.rewrite=true} regenerates its table. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @Test
    void pageHasTheTableOfRegisteredMetrics() throws IOException {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("campaign-controller")) {
            var unused = new CampaignControllerMetrics(prometheusMetrics.registry(), registry -> 0);
            String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of());
            assertThat(GeneratedPageSection.readOrRewrite(PAGE, "campaign-controller", table))
                    .as("rewritten by -Dflotilla.rewrite=true")
                    .isEqualTo(table);
        }
    }
}
