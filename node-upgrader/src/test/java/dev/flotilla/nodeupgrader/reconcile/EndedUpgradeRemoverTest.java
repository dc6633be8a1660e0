package dev.flotilla.nodeupgrader.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.nodeupgrader.KubeObjects;
import dev.flotilla.nodeupgrader.UpgraderListenerStub;
import dev.flotilla.nodeupgrader.cluster.WorkloadClients;
import dev.flotilla.nodeupgrader.cluster.WorkloadClusters;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndedUpgradeRemoverTest {
    private static final Instant NOW = Instant.parse("2026-11-26T02:00:00Z");
    private static final String OLD = "2026-11-19T02:00:00Z";
    private static final String YOUNG = "2026-11-19T02:00:01Z";

    private final KubeApiClient management = new KubeApiClient(
            new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:1")
                    .build(),
            1);
    private final WorkloadClients clients = new WorkloadClients(management, Duration.ofSeconds(1), () -> 0);
    private final EndedUpgradeRemover remover = new EndedUpgradeRemover(
            management,
            new WorkloadClusters(clients, "flotilla", InstantSource.fixed(NOW), () -> 0),
            Duration.ofDays(7),
            InstantSource.fixed(NOW),
            new UpgraderListenerStub());

    @AfterEach
    void close() {
        clients.close();
        management.close();
    }

    private static KubeObject upgrade(String phase, String deadline, String more) {
        return KubeObjects.parse(
                "{metadata: {name: w-1, namespace: fleet%s}, spec: {deadline: '%s'}, status: {phase: %s}}"
                        .formatted(more, deadline, phase));
    }

    @ParameterizedTest
    @CsvSource({
        "Succeeded, " + OLD + ", true",
        "Failed, " + OLD + ", true",
        "Aborted, " + OLD + ", true",
        "Succeeded, " + YOUNG + ", false",
        "Running, " + OLD + ", false",
        "Pending, " + OLD + ", false",
        "Unknown, " + OLD + ", false"
    })
    void isDueSevenDaysAfterTheDeadlineIfItHasEnded(String phase, String deadline, boolean due) {
        assertThat(remover.isDue(upgrade(phase, deadline, ""))).isEqualTo(due);
    }

    @Test
    void resultThatANodeToldLongAfterTheDeadlineIsKeptAsLong() {
        assertThat(remover.isDue(KubeObjects.parse(
                        "{metadata: {name: w-1, namespace: fleet}, spec: {deadline: '2026-11-01T02:00:00Z'},"
                                + " status: {phase: Failed, lastHeartbeat: '" + YOUNG + "'}}")))
                .isFalse();
    }

    @Test
    void neverDeletesWhatIsHeldOrBeingDeleted() {
        assertThat(remover.isDue(upgrade("Failed", OLD, ", finalizers: [flotilla.dev/node-upgrade]")))
                .isFalse();
        assertThat(remover.isDue(upgrade("Failed", OLD, ", deletionTimestamp: '2026-11-26T01:00:00Z'")))
                .isFalse();
    }

    @Test
    void withoutADeadlineItsCreationCounts() {
        assertThat(remover.isDue(upgrade("Failed", "soon", ", creationTimestamp: '" + OLD + "'")))
                .isTrue();
        assertThat(remover.isDue(upgrade("Failed", "soon", ", creationTimestamp: '" + YOUNG + "'")))
                .isFalse();
    }
}
