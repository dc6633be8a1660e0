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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
    private static final int CONTROL_PLANES = 3;
    private static final String NEWEST = "v1.35.3";

    private static final Duration AWAY = Duration.ofMinutes(5);

    @TempDir
    private static Path folder;

    private static InPlaceUpdateLab lab;

    @BeforeAll
    static void start() throws IOException {
        lab = new InPlaceUpdateLab(folder, ClusterApiRelease.NEWEST, "faults");
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
        create(cluster);
        Map<String, String> before = lab.view.uids(cluster);
        lab.edits.changeWorkersVersion(cluster, InPlaceUpdateLab.NEW);
        lab.await("an update of " + cluster, () -> isUpdating(cluster));
        lab.note("the fault");
        fault.happen();
        lab.note("the end of the fault");
        lab.await("the workers of " + cluster, () -> lab.view.areWorkersAt(cluster, InPlaceUpdateLab.NEW));
        lab.noteMachines(cluster, "after");
        assertThat(lab.view.uids(cluster)).isEqualTo(before);
        assertThat(lab.view.upgradesOf(cluster).values()).hasSize(WORKERS).containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    private static void create(String cluster) {
        lab.createClusters(1, WORKERS, 0, cluster);
        lab.noteMachines(cluster, "before");
    }

    private static boolean isUpdating(String cluster) {
        return lab.view.machines(cluster).stream().anyMatch(lab.view::isUpdating);
    }

    /** Ever later after its start, so that it dies in each part of it. */
    @Test
    void extensionIsKilledAgainAndAgain() throws Exception {
        updateWith("killed", () -> {
            for (int i = 0; i < 8; i++) {
                lab.kill(InPlaceUpdateLab.EXTENSION);
                lab.watchFor(Duration.ofMillis(700L * i));
            }
        });
    }

    @Test
    void noReplicaAnswersForFiveMinutes() throws Exception {
        updateWith("silent", () -> {
            lab.signal(InPlaceUpdateLab.EXTENSION, "STOP");
            lab.watchFor(AWAY);
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

    /** Both managers that call hooks, in each step of the update of a control plane. */
    @Test
    void managersAreRestartedWhileAControlPlaneIsUpdated() {
        lab.createClusters(CONTROL_PLANES, 1, 0, "members");
        Map<String, String> before = lab.view.uids("members");
        lab.edits.changeControlPlaneVersion("members", InPlaceUpdateLab.NEW);
        for (int i = 0; i < CONTROL_PLANES; i++) {
            lab.await("an update", () -> isUpdating("members"));
            lab.managers.restart(ClusterApiProvider.CONTROL_PLANE);
            lab.managers.restart(ClusterApiProvider.CORE);
            lab.watchFor(Duration.ofSeconds(5L * i));
        }
        lab.await("the members", () -> lab.view.isControlPlaneAt("members", InPlaceUpdateLab.NEW));
        assertThat(lab.view.uids("members")).isEqualTo(before);
        assertThat(lab.view.upgradesOf("members").values())
                .hasSize(CONTROL_PLANES)
                .containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    /** Of another authority: Cluster API reaches the extension again only when this has read its files again. */
    @Test
    void certificateIsRotated() throws Exception {
        updateWith("rotated", lab::rotateAuthority);
    }

    @Test
    void registrationIsDeletedAndMadeAgainWhileAMachineIsHeldAndWhileOneRuns() throws Exception {
        updateWith("registered", () -> {
            lab.unregister();
            lab.watchFor(Duration.ofSeconds(20));
            lab.register();
        });
    }

    /** Cluster API calls neither of two, so nothing happens until one is gone. */
    @Test
    void extensionOfAnotherVendorIsInstalledAndRemoved() throws Exception {
        updateWith("vendor", () -> {
            lab.registerVendor();
            lab.watchFor(Duration.ofSeconds(40));
            lab.unregisterVendor();
        });
    }

    /**
     * The first edit's machine ends its update; then the second edit is made, on every machine. In the seconds before Cluster API asks for
     * a machine that it has moved, another edit has it delete that machine, and it asks nobody.
     */
    @Test
    void secondEditWaitsForTheEndOfTheFirst() {
        create("twice");
        Map<String, String> before = lab.view.uids("twice");
        lab.edits.changeWorkersVersion("twice", InPlaceUpdateLab.NEW);
        lab.await("a request", () -> !lab.view.tasks("twice").isEmpty());
        Map<String, Integer> most = new TreeMap<>();
        lab.view.machines("twice").forEach(machine -> most.put(machine.name(), lab.view.isUpdating(machine) ? 2 : 1));
        lab.edits.changeWorkersVersion("twice", NEWEST);
        lab.await("the second edit", () -> lab.view.areWorkersAt("twice", NEWEST));
        assertThat(lab.view.uids("twice")).isEqualTo(before);
        assertThat(lab.view.upgradesOf("twice"))
                .hasSize(WORKERS)
                .allSatisfy((machine, count) -> assertThat(count).isLessThanOrEqualTo(most.get(machine)));
        assertThat(lab.violations()).isEmpty();
    }

    @Test
    void machineIsDeletedWhileItIsHeldAndNothingIsLeftBehind() throws Exception {
        create("deleted");
        endsWhileHeld("deleted", lab::delete);
    }

    /** A MachineHealthCheck replaces it, as it would without Flotilla. */
    @Test
    void machineIsRemediatedWhileItIsHeldAndNothingIsLeftBehind() throws Exception {
        create("ill");
        lab.edits.checkHealth("ill");
        endsWhileHeld("ill", lab.edits::remediate);
    }

    /** How a machine is made to end. */
    @FunctionalInterface
    private interface End {
        void of(KubeObject machine);
    }

    private static void endsWhileHeld(String cluster, End end) throws IOException {
        lab.flotilla("fleet", "freeze", "--reason", "a test holds machines");
        try {
            lab.edits.changeWorkersVersion(cluster, InPlaceUpdateLab.NEW);
            lab.await("a held machine", () -> lab.view.tasks(cluster).stream().anyMatch(ClusterApiFaultsIT::isWaiting));
            KubeObject held = lab.view.machines(cluster).stream()
                    .filter(lab.view::isUpdating)
                    .findFirst()
                    .orElseThrow();
            end.of(held);
            awaitGone(held);
            // The watcher may see that the Machine is gone before the extension aborts the task.
            awaitTasks(held, Set.of("Aborted", "Completed"));
            assertThat(lab.view.upgradesOf(cluster)).doesNotContainKey(held.name());
        } finally {
            lab.flotilla("fleet", "unfreeze", "--reason", "the test goes on");
        }
        lab.await("the other workers", () -> lab.view.areWorkersAt(cluster, WORKERS, InPlaceUpdateLab.NEW));
        assertThat(lab.view.upgradesOf(cluster).values()).containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    @Test
    void machineIsDeletedWhileItRuns() {
        create("removed");
        endsWhileItRuns("removed", lab::delete);
    }

    /** The upgrade that runs keeps Cluster API from it until its end. */
    @Test
    void machineIsRemediatedWhileItRuns() {
        create("remedied");
        lab.edits.checkHealth("remedied");
        endsWhileItRuns("remedied", lab.edits::remediate);
    }

    private static void endsWhileItRuns(String cluster, End end) {
        lab.edits.changeWorkersVersion(cluster, InPlaceUpdateLab.NEW);
        lab.await(
                "a node in change",
                () -> lab.nodesInChange().now().stream().anyMatch(each -> each.startsWith(cluster)));
        String running = lab.nodesInChange().now().stream()
                .filter(each -> each.startsWith(cluster))
                .findFirst()
                .orElseThrow();
        KubeObject machine = lab.view.machines(cluster).stream()
                .filter(each -> each.name().equals(running))
                .findFirst()
                .orElseThrow();
        end.of(machine);
        awaitGone(machine);
        assertThat(lab.nodesInChange().now()).as("its node is changed no more").doesNotContain(running);
        awaitTasks(machine, Set.of("Completed", "Failed", "Aborted"));
        lab.await("the workers", () -> lab.view.areWorkersAt(cluster, WORKERS, InPlaceUpdateLab.NEW));
        assertThat(lab.view.upgradesOf(cluster)).containsEntry(running, 1);
        assertThat(lab.view.upgradesOf(cluster).values()).containsOnly(1);
        assertThat(lab.violations()).isEmpty();
    }

    private static void awaitGone(KubeObject machine) {
        lab.await("its end", () -> !lab.view.exists(machine));
    }

    private static boolean isWaiting(KubeObject task) {
        return "Waiting".equals(task.text("status", "phase"));
    }

    private static void awaitTasks(KubeObject machine, Set<String> phases) {
        lab.await("the end of its task", () -> {
            List<KubeObject> tasks = lab.view.tasksOf(machine);
            return !tasks.isEmpty()
                    && tasks.stream().allMatch(task -> phases.contains(String.valueOf(task.text("status", "phase"))));
        });
    }
}
