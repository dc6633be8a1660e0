package dev.flotilla.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import dev.flotilla.tracing.TraceMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that docs/metrics.md matches the registered metrics; {@code -Dflotilla.rewrite=true} regenerates its tables.
 */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @Test
    void documentedTableMatchesTheMetrics() throws IOException {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator")) {
            new OrchestratorMetrics(prometheusMetrics.registry()).recordInputDelay(1);
            new TraceMetrics(prometheusMetrics.registry());
            String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of());
            assertThat(GeneratedPageSection.readOrRewrite(PAGE, "orchestrator", table))
                    .as("run with -Dflotilla.rewrite=true to regenerate the page")
                    .isEqualTo(table);
        }
    }
}
