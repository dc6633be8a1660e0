package dev.flotilla.nodeworker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import dev.flotilla.tracing.TraceMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics page shows the metrics of a node-worker; {@code -Dflotilla.rewrite=true} regenerates its table. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @Test
    void pageHasTheTableOfRegisteredMetrics() throws IOException {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("node-worker", new SiteId("east"))) {
            new NodeWorkerMetrics(prometheusMetrics.registry()).registerGauges(() -> 0, () -> 0);
            new TraceMetrics(prometheusMetrics.registry());
            String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of("site"));
            assertThat(GeneratedPageSection.readOrRewrite(PAGE, "node-worker", table))
                    .as("rewritten by -Dflotilla.rewrite=true")
                    .isEqualTo(table);
        }
    }

    @Test
    void countsKafkaFailuresByReason() {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("node-worker", new SiteId("east"))) {
            NodeWorkerMetrics counts = new NodeWorkerMetrics(prometheusMetrics.registry());
            for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
                counts.countKafkaFailure(kind.label());
            }
            assertThat(prometheusMetrics.toPrometheusText())
                    .contains("flotilla_worker_kafka_failures_total{application=\"node-worker\","
                            + "reason=\"fenced\",site=\"east\"} 1.0");
        }
    }
}
