package dev.flotilla.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that blocked inputs are visible to operators. */
class OrchestratorEventLoggerTest {
    private static final Instant ENDS = Instant.parse("2026-03-01T00:01:00Z");

    private final PrometheusMetrics prometheusMetrics = new PrometheusMetrics("orchestrator");
    private final OrchestratorEventLogger orchestratorEventLogger =
            new OrchestratorEventLogger(new OrchestratorMetrics(prometheusMetrics.registry()), span -> {}, () -> {});

    @Test
    void reportsABlockedInputAndStaysReady() {
        orchestratorEventLogger.roleChanged(ReplicaRole.LEADER, "");
        orchestratorEventLogger.onBlockedInputs(List.of(
                new OpenTransaction(TablePartition.of(Table.ORDERS), 7, 3, "their-tool", ENDS),
                new OpenTransaction(new TablePartition(Table.PROGRESS, new SiteId("east"), 2), 40, 9, null, null)));
        HealthStatus healthStatus = orchestratorEventLogger.healthStatus();
        assertThat(healthStatus.healthy()).isTrue();
        assertThat(healthStatus.parts())
                .extracting(HealthStatus.ComponentHealth::message)
                .contains(
                        "An open transaction of producer their-tool blocks flotilla.orders partition 0 from offset 7"
                                + " on; the broker ends it by 2026-03-01T00:01:00Z.",
                        "An open transaction of another producer blocks flotilla.progress.east partition 2 from offset"
                                + " 40 on.");
        assertThat(prometheusMetrics.toPrometheusText())
                .containsPattern("flotilla_inputs_blocked\\{[^}]*site=\"\",table=\"orders\"} 1")
                .containsPattern("flotilla_inputs_blocked\\{[^}]*site=\"\",table=\"policies\"} 0")
                .containsPattern("flotilla_inputs_blocked\\{[^}]*site=\"east\",table=\"progress\"} 1");
        orchestratorEventLogger.onBlockedInputs(List.of());
        assertThat(orchestratorEventLogger.healthStatus().parts()).hasSize(1);
        assertThat(prometheusMetrics.toPrometheusText()).doesNotContain("site=\"east\"");
    }
}
