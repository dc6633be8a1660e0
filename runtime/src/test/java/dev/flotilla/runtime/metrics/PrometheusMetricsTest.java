package dev.flotilla.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrometheusMetricsTest {
    @Test
    void exportsJvmAndOwnMetersWithLabels() {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator")) {
            prometheusMetrics
                    .registry()
                    .counter(
                            "flotilla.ends",
                            List.of(
                                    MetricLabel.site(new SiteId("north")),
                                    MetricLabel.OUTCOME.of(MachineOutcome.SUCCEEDED, MachineOutcome.SUCCEEDED.label())))
                    .increment();
            assertThat(prometheusMetrics.toPrometheusText())
                    .contains("jvm_memory_used_bytes")
                    .contains(
                            "flotilla_ends_total{application=\"orchestrator\",outcome=\"succeeded\",site=\"north\"} 1.0");
        }
    }

    @Test
    void rejectsMachineAsLabel() {
        try (PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator")) {
            assertThatThrownBy(
                            () -> prometheusMetrics.registry().counter("flotilla.ends", "machine", "north/default/a"))
                    .hasMessageContaining("machine");
        }
    }
}
