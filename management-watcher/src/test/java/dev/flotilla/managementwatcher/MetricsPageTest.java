package dev.flotilla.managementwatcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.testkit.page.GeneratedPageSection;
import dev.flotilla.testkit.page.MetricsReferenceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page on metrics says what a management-watcher counts; {@code -Dflotilla.rewrite=true} writes its table anew. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");

    @Test
    void theTableOfThePageIsWhatIsRegistered() throws IOException {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("management-watcher", new SiteId("east"))) {
            var unused = new ManagementWatcherMetrics(prometheusMetrics.registry());
            String table = MetricsReferenceTable.markdownTable(prometheusMetrics.toPrometheusText(), List.of("site"));
            assertThat(GeneratedPageSection.readOrRewrite(PAGE, "management-watcher", table))
                    .as("written anew by -Dflotilla.rewrite=true")
                    .isEqualTo(table);
        }
    }

    @Test
    void whatKafkaDidNotDoIsCountedByWhy() {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("management-watcher", new SiteId("east"))) {
            ManagementWatcherMetrics counts = new ManagementWatcherMetrics(prometheusMetrics.registry());
            for (KafkaFailure.Kind kind : KafkaFailure.Kind.values()) {
                counts.countKafkaFailure(kind.label());
            }
            assertThat(prometheusMetrics.toPrometheusText())
                    .contains("flotilla_watcher_kafka_failures_total{application=\"management-watcher\","
                            + "reason=\"fenced\",site=\"east\"} 1.0");
        }
    }
}
