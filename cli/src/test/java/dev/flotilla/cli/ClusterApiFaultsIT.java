package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.testkit.clusterapi.ClusterApiBinaries;
import dev.flotilla.testkit.clusterapi.ClusterApiProvider;
import dev.flotilla.testkit.clusterapi.ClusterApiRelease;
import dev.flotilla.testkit.kafka.BrokerMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Faults while the real managers of Cluster API update the workers of a cluster in place: no Machine is replaced, none is upgraded twice,
 * and none is said to be updated before it is.
 */
@Tag("nightly")
@EnabledIf(value = ClusterApiBinaries.PRESENT, disabledReason = ClusterApiBinaries.MISSING)
class ClusterApiFaultsIT {
    private static final int WORKERS = 2;

    @TempDir
    private static Path folder;

    private static InPlaceUpdateLab lab;

    @BeforeAll
    static void start() throws IOException {
        lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST);
    }

    @AfterAll
    static void stop() throws IOException {
        lab.close();
    }

    /** What happens while a cluster is updated. */
    @FunctionalInterface
    private interface Fault {
        void happen() throws Exception;
    }

    private static void updateWith(String cluster, Fault fault) throws Exception {
        lab.createClusters(1, WORKERS, 0, cluster);
        Map<String, String> before = lab.uids(cluster);
        lab.edits.changeWorkersVersion(cluster, InPlaceUpdateLab.NEW);
        lab.await("an update of " + cluster, () -> isUpdating(cluster));
        fault.happen();
        lab.await("the workers of " + cluster, () -> lab.areWorkersAt(cluster, InPlaceUpdateLab.NEW));
        assertThat(lab.uids(cluster)).isEqualTo(before);
        assertThat(lab.upgradesOf(cluster).values()).hasSize(WORKERS).containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    private static boolean isUpdating(String cluster) {
        return lab.machines(cluster).stream().anyMatch(lab::isUpdating);
    }

    @Test
    void extensionIsKilledAgainAndAgain() throws Exception {
        updateWith("killed", () -> {
            for (int i = 0; i < 8; i++) {
                lab.kill(InPlaceUpdateLab.EXTENSION);
                lab.watchFor(Duration.ofSeconds(3));
            }
        });
    }

    @Test
    void noReplicaAnswersForFiveMinutes() throws Exception {
        updateWith("silent", () -> {
            lab.signal(InPlaceUpdateLab.EXTENSION, "STOP");
            lab.watchFor(Duration.ofMinutes(5));
            lab.signal(InPlaceUpdateLab.EXTENSION, "CONT");
        });
    }

    /** Stopped for nine seconds of ten, so that most answers come just before Cluster API gives up. */
    @Test
    void answersComeAfterNineSeconds() throws Exception {
        updateWith("late", () -> {
            for (int i = 0; i < 6; i++) {
                lab.signal(InPlaceUpdateLab.EXTENSION, "STOP");
                lab.watchFor(Duration.ofSeconds(9));
                lab.signal(InPlaceUpdateLab.EXTENSION, "CONT");
                lab.watchFor(Duration.ofSeconds(1));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"broker,60", "management-watcher,60", "orchestrator,30", "node-worker,45"})
    void aPartOfFlotillaIsAway(String part, int seconds) throws Exception {
        String command = part.equals("broker") ? BrokerMain.class.getName() : part;
        updateWith("no-" + part, () -> {
            lab.signal(command, "STOP");
            lab.watchFor(Duration.ofSeconds(seconds));
            lab.signal(command, "CONT");
        });
    }

    @Test
    void orchestratorFailsOver() throws Exception {
        updateWith("failover", () -> {
            lab.kill("orchestrator");
            lab.watchFor(Duration.ofSeconds(10));
            lab.kill("orchestrator");
        });
    }

    @Test
    void coreManagerIsRestarted() throws Exception {
        updateWith("core", () -> {
            lab.managers.restart(ClusterApiProvider.CORE);
            lab.watchFor(Duration.ofSeconds(5));
            lab.managers.restart(ClusterApiProvider.CORE);
        });
    }

    @Test
    void certificateIsRotated() throws Exception {
        updateWith("rotated", () -> {
            lab.issueCertificate();
            lab.watchFor(Duration.ofSeconds(15));
        });
    }

    @Test
    void registrationIsDeletedAndMadeAgainWhileAMachineIsHeldAndWhileOneRuns() throws Exception {
        updateWith("registered", () -> {
            lab.unregister();
            lab.watchFor(Duration.ofSeconds(20));
            lab.register();
        });
    }

    /** The first edit's machine ends its update; then the second edit is made, on every machine. */
    @Test
    void secondEditWaitsForTheEndOfTheFirst() throws Exception {
        String newest = "v1.35.3";
        lab.createClusters(1, WORKERS, 0, "twice");
        Map<String, String> before = lab.uids("twice");
        lab.edits.changeWorkersVersion("twice", InPlaceUpdateLab.NEW);
        lab.await("an update", () -> isUpdating("twice"));
        lab.edits.changeWorkersVersion("twice", newest);
        lab.await("the second edit", () -> lab.areWorkersAt("twice", newest));
        assertThat(lab.uids("twice")).isEqualTo(before);
        assertThat(lab.violations()).isEmpty();
    }

    @Test
    void machineIsDeletedWhileItIsHeldAndNothingIsLeftBehind() throws Exception {
        lab.createClusters(1, WORKERS, 0, "deleted");
        lab.flotilla("fleet", "freeze", "--reason", "a test holds machines");
        lab.edits.changeWorkersVersion("deleted", InPlaceUpdateLab.NEW);
        lab.await(
                "a held machine",
                () -> lab.tasks("deleted").stream().anyMatch(task -> "Waiting".equals(task.text("status", "phase"))));
        KubeObject held = lab.machines("deleted").stream()
                .filter(lab::isUpdating)
                .findFirst()
                .orElseThrow();
        lab.delete(held);
        lab.await("its end", () -> !lab.uids("deleted").containsValue(held.uid()));
        lab.await(
                "the end of its task",
                () -> lab.tasks("deleted").stream()
                        .filter(task -> task.name()
                                .startsWith(held.name()
                                        .substring(0, Math.min(40, held.name().length()))))
                        .allMatch(task -> "Aborted".equals(task.text("status", "phase"))));
        assertThat(lab.upgradesOf("deleted")).doesNotContainKey(held.name());
        lab.flotilla("fleet", "unfreeze", "--reason", "the test goes on");
        lab.await("the other workers", () -> lab.areWorkersAt("deleted", InPlaceUpdateLab.NEW));
        assertThat(lab.violations()).isEmpty();
    }
}
