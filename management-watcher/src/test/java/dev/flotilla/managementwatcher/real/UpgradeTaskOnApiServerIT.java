package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.UpgradeTaskBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.stub.WatcherTestBed;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * UpgradeTasks at a real API server with the CustomResourceDefinition, by a watcher with exactly its role; the test
 * writes the orchestrator's rows.
 */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class UpgradeTaskOnApiServerIT {
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.34.1");

    private static WatcherTestBed watched;
    private static ManagementTestBed bed;
    private static UpgradeTaskBed tasks;

    @BeforeAll
    static void start() throws Exception {
        watched = WatcherTestBed.start();
        bed = watched.bed();
        tasks = UpgradeTaskBed.install(bed);
    }

    @AfterAll
    static void stop() {
        watched.close();
    }

    @Test
    void taskForAMachineDeploymentGoesThroughItsPhases() throws Exception {
        applyPool("phases", 2);
        try (WatchedTestSite site = watched.site("phases")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            tasks.createTask("phases", poolSpec("phases", ", 'ttlSecondsAfterFinished': 3600"));
            RolloutRef first = awaitRollout(orchestrator, site, "phases-0");
            RolloutRef second = awaitRollout(orchestrator, site, "phases-1");
            site.await(
                    "the wait",
                    () -> tasks.states("phases").equals(List.of("phases-0 Waiting Queued", "phases-1 Waiting Queued")));
            assertThat(tasks.phase("phases")).isEqualTo("Waiting");
            orchestrator.admitAttempt(site.machine("phases-0"), first, TARGET);
            site.await("the start", () -> "InProgress".equals(tasks.phase("phases")));
            site.await("its condition", () -> tasks.upToDate("phases-0").equals("ExternalUpgradeInProgress"));
            orchestrator.reportSuccess(site.machine("phases-0"), first);
            site.await("the first end", () -> tasks.upToDate("phases-0").equals("Ready"));
            orchestrator.admitAttempt(site.machine("phases-1"), second, TARGET);
            orchestrator.reportFailure(site.machine("phases-1"), second, "no space left");
            site.await("the end", () -> "Failed".equals(tasks.phase("phases")));
            site.await("no owner", () -> tasks.owner("phases-0") == null && tasks.owner("phases-1") == null);
            assertThat(tasks.upToDate("phases-1")).isEqualTo("Failed");
            KubeObject status = Objects.requireNonNull(tasks.read("phases")).object("status");
            assertThat(status.number("counts", "succeeded")).isEqualTo(1);
            assertThat(status.number("counts", "failed")).isEqualTo(1);
            assertThat(status.number("observedGeneration")).isEqualTo(1);
            assertThat(status.text("finishedAt")).isNotNull();
            site.await(
                    "no finalizer",
                    () -> Objects.requireNonNull(tasks.read("phases"))
                            .texts("metadata", "finalizers")
                            .isEmpty());
            site.await(
                    "its Events",
                    () -> bed.readEvents("phases").stream()
                            .anyMatch(event -> event.startsWith("Warning UpgradeTaskFailed")));
            assertThat(bed.readObject("machines", "phases-0").isCondition("NodeReady", "True"))
                    .isTrue();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void abortWhileWaitingCancels() throws Exception {
        applyPool("early", 1);
        try (WatchedTestSite site = watched.site("early")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            tasks.createTask("early", poolSpec("early", ""));
            awaitRollout(orchestrator, site, "early-0");
            site.await("its condition", () -> tasks.upToDate("early-0").equals("Waiting"));
            tasks.abort("early");
            site.await("the end", () -> "Aborted".equals(tasks.phase("early")));
            assertThat(site.readIntent(site.machine("early-0"))).isNull();
            assertThat(tasks.upToDate("early-0")).isEmpty();
            assertThat(tasks.owner("early-0")).isNull();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatRunsIsAwaitedBeforeAnEnd(boolean deleted) throws Exception {
        String name = deleted ? "deleted" : "aborted";
        applyPool(name, 1);
        try (WatchedTestSite site = watched.site(name)) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine(name + "-0");
            tasks.createTask(name, poolSpec(name, ""));
            RolloutRef rolloutRef = awaitRollout(orchestrator, site, name + "-0");
            orchestrator.admitAttempt(machine, rolloutRef, TARGET);
            site.await("the start", () -> "InProgress".equals(tasks.phase(name)));
            if (deleted) {
                tasks.delete(name);
            } else {
                tasks.abort(name);
            }
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            site.await("the wait", () -> tasks.condition(name, "Completed").endsWith(": " + name + "-0"));
            assertThat(tasks.owner(name + "-0")).isNotNull();
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the end", () -> deleted ? tasks.read(name) == null : "Aborted".equals(tasks.phase(name)));
            assertThat(tasks.owner(name + "-0")).isNull();
            assertThat(tasks.upToDate(name + "-0")).isEmpty();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void newerTaskForTheSameOwnerWaitsForTheOlder() throws Exception {
        applyPool("twice", 1);
        try (WatchedTestSite site = watched.site("twice")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            tasks.createTask("twice-a", poolSpec("twice", ""));
            UpgradeIntent first = orchestrator.awaitIntent(site.machine("twice-0"));
            tasks.createTask("twice-b", poolSpec("twice", ""));
            site.await("the wait", () -> tasks.condition("twice-b", "Completed").startsWith("OwnerHeld"));
            tasks.abort("twice-a");
            site.await(
                    "the other intent",
                    () -> site.readIntent(site.machine("twice-0")) instanceof UpgradeIntent intent
                            && Objects.requireNonNull(intent.task()).name().equals("twice-b"));
            assertThat(orchestrator.awaitIntent(site.machine("twice-0")).requestedAt())
                    .isAfter(first.requestedAt());
            assertThat(tasks.phase("twice-a")).isEqualTo("Aborted");
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void deletedMachineDoesNotHoldItsTask() throws Exception {
        applyPool("gone", 2);
        try (WatchedTestSite site = watched.site("gone")) {
            site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            tasks.createTask(
                    "gone",
                    "{'clusterName': 'gone', 'machines': ['gone-0', 'gone-1'], 'target': {'version': 'v1.34.1'}}");
            RolloutRef rolloutRef = awaitRollout(orchestrator, site, "gone-0");
            orchestrator.admitAttempt(site.machine("gone-0"), rolloutRef, TARGET);
            site.await("the start", () -> tasks.states("gone").contains("gone-0 InProgress Admitted"));
            bed.cluster.delete(ManagementTestBed.path("machines", "gone-0"));
            site.await("the skip", () -> tasks.states("gone").contains("gone-0 Skipped MachineDeleted"));
            RolloutRef other = awaitRollout(orchestrator, site, "gone-1");
            orchestrator.admitAttempt(site.machine("gone-1"), other, TARGET);
            orchestrator.reportSuccess(site.machine("gone-1"), other);
            site.await("the end", () -> "Completed".equals(tasks.phase("gone")));
            assertThat(tasks.condition("gone", "Completed")).endsWith("skipped: gone-0");
        }
    }

    @Test
    void invalidTaskSaysWhyInConditionAndEvent() throws Exception {
        applyPool("bad", 1);
        try (WatchedTestSite site = watched.site("bad")) {
            site.startWatcher("a");
            tasks.createTask(
                    "bad",
                    poolSpec("bad", ", 'upgraderRef': {'apiGroup': 'example.org', 'kind': 'Template', 'name': '-x'}"));
            site.await("the end", () -> "Failed".equals(tasks.phase("bad")));
            assertThat(tasks.condition("bad", "Accepted"))
                    .contains("spec.upgraderRef.name '-x'", "create another task");
            site.await(
                    "its Event",
                    () -> bed.readEvents("bad").stream()
                            .anyMatch(event -> event.startsWith("Warning UpgradeTaskRejected spec.upgraderRef.name")));
            assertThat(site.readIntent(site.machine("bad-0"))).isNull();
        }
    }

    @Test
    void onlyRequestersCreateTasks() throws Exception {
        tasks.bindRequester("requester");
        tasks.bind("editor", "edit");
        String spec = poolSpec("none", "");
        try (KubeApiClient requester = ManagementTestBed.openClient(bed.cluster.kubeconfig("requester"));
                KubeApiClient editor = ManagementTestBed.openClient(bed.cluster.kubeconfig("editor"))) {
            bed.await(
                    "the role",
                    () -> UpgradeTaskBed.createTask(requester, "requested", spec)
                            instanceof KubeResponse.SuccessResponse);
            assertThat(UpgradeTaskBed.createTask(editor, "edited", spec).isForbidden())
                    .isTrue();
        }
    }

    @Test
    void convergesWhenTheWatcherIsReplaced() throws Exception {
        try (WatchedTestSite site = watched.site("again")) {
            upgradeWhileReplacing(site, 2);
        }
    }

    @Test
    @Tag("nightly")
    void convergesWhenTheWatcherIsReplacedAfterAnyWrite() throws Exception {
        try (WatchedTestSite site = watched.site("each").withOneWriteASecond()) {
            upgradeWhileReplacing(site, 12);
        }
    }

    private static void upgradeWhileReplacing(WatchedTestSite site, int leastWatchers) throws Exception {
        String pool = site.id.name();
        String first = pool + "-0";
        String second = pool + "-1";
        applyPool(pool, 2);
        List<WatchedTestSite.RunningWatcher> watchers = new ArrayList<>();
        watchers.add(site.startWatcher("w0"));
        FakeOrchestrator orchestrator = new FakeOrchestrator(site);
        tasks.createTask(pool, poolSpec(pool, ""));
        awaitWhileReplacing(
                site,
                watchers,
                "both intents",
                () -> site.readIntent(site.machine(first)) != null && site.readIntent(site.machine(second)) != null);
        List<RolloutRef> rollouts =
                List.of(awaitRollout(orchestrator, site, first), awaitRollout(orchestrator, site, second));
        for (int i = 0; i < 2; i++) {
            String name = pool + "-" + i;
            orchestrator.admitAttempt(site.machine(name), rollouts.get(i), TARGET);
            awaitWhileReplacing(
                    site, watchers, "its start", () -> tasks.upToDate(name).equals("ExternalUpgradeInProgress"));
            orchestrator.reportSuccess(site.machine(name), rollouts.get(i));
            awaitWhileReplacing(
                    site, watchers, "its end", () -> tasks.upToDate(name).equals("Ready"));
        }
        awaitWhileReplacing(
                site,
                watchers,
                "the end",
                () -> "Completed".equals(tasks.phase(pool))
                        && tasks.owner(first) == null
                        && tasks.owner(second) == null
                        && site.readIntent(site.machine(first)) == null
                        && Objects.requireNonNull(tasks.read(pool))
                                .texts("metadata", "finalizers")
                                .isEmpty());
        assertThat(tasks.states(pool)).containsExactly(first + " Succeeded AtTarget", second + " Succeeded AtTarget");
        assertThat(watchers).hasSizeGreaterThan(leastWatchers);
        // One intent for each machine, by all watchers together.
        List<RowChange> changes = site.drainChanges();
        assertThat(changes.stream()
                        .filter(change -> change instanceof UpgradeIntent intent
                                && intent.object().name().startsWith(pool + "-"))
                        .distinct())
                .hasSize(2);
    }

    /** Waits, and replaces the watcher whenever it has written. */
    private static void awaitWhileReplacing(
            WatchedTestSite site,
            List<WatchedTestSite.RunningWatcher> watchers,
            String what,
            BooleanSupplier condition) {
        int[] seen = {countWrites(site)};
        site.await(what, () -> {
            if (condition.getAsBoolean()) {
                return true;
            }
            if (countWrites(site) > seen[0]) {
                seen[0] = countWrites(site);
                watchers.getLast().close();
                try {
                    watchers.add(site.startWatcher("w" + watchers.size()));
                } catch (Exception e) {
                    throw new IllegalStateException(what, e);
                }
            }
            return false;
        });
    }

    private static int countWrites(WatchedTestSite site) {
        return site.writtenTasks.size() + site.writtenAnnotations.size() + site.writtenConditions.size();
    }

    private static RolloutRef awaitRollout(FakeOrchestrator orchestrator, WatchedTestSite site, String machine) {
        return FakeOrchestrator.rolloutRefOf(orchestrator.awaitIntent(site.machine(machine)));
    }

    private static String poolSpec(String cluster, String more) {
        return "{'clusterName': '%1$s', 'machineDeploymentRef': {'name': '%1$s-pool'}, 'target': {'version': 'v1.34.1'}%2$s}"
                .formatted(cluster, more);
    }

    private static void applyPool(String cluster, int machines) {
        bed.cluster(cluster);
        bed.applyOwner("machinedeployments", cluster + "-pool", cluster, machines, "");
        for (int i = 0; i < machines; i++) {
            bed.applyMachine(
                    cluster + "-" + i,
                    cluster,
                    ", labels: {flotilla.dev/provider: node-upgrade, cluster.x-k8s.io/deployment-name: " + cluster
                            + "-pool}");
        }
    }
}
