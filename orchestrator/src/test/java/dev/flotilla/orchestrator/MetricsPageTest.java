package dev.flotilla.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page on metrics says what an orchestrator counts; {@code -Dflotilla.rewrite=true} writes its tables anew. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @Test
    void theTableOfThePageIsWhatIsRegistered() throws IOException {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator")) {
            new OrchestratorMetrics(prometheusMetrics.registry()).recordInputDelay(1);
            String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of());
            assertThat(GeneratedPageSection.readOrRewrite(PAGE, "orchestrator", table))
                    .as("written anew by -Dflotilla.rewrite=true")
                    .isEqualTo(table);
        }
    }
}
