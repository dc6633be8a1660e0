package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.EmbeddedTestSite;
import dev.flotilla.managementwatcher.stub.FakeOrchestrator;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * UpgradeTasks of a watcher on an embedded management cluster over HTTPS and a real Kafka; the test writes the
 * orchestrator's rows.
 */
class UpgradeTaskIT {
    private static final String WORKER = "site-0-c-0-w-0";
    private static final UpgradeTarget TARGET = UpgradeTarget.parse("version=v1.36.3");
    private static final String WORKERS = """
            {"clusterName": "site-0-c-0", "machineDeploymentRef": {"name": "site-0-c-0-workers"},
             "target": {"version": "v1.36.3"}%s}""";

    private static LocalKafka kafka;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        kafka = LocalKafka.start();
    }

    @AfterAll
    static void stop() {
        kafka.close();
    }

    @Test
    void taskForAMachineDeploymentIsPublishedAndReported() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("task")) {
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine(WORKER);
            createTask(site, "to-1-36", WORKERS.formatted(", \"ttlSecondsAfterFinished\": 1"));
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            assertThat(intent.target()).isEqualTo(TARGET);
            assertThat(Objects.requireNonNull(intent.task()).name()).isEqualTo("to-1-36");
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            site.await("the wait", () -> "Waiting".equals(readStatus(site, "to-1-36", "phase")));
            orchestrator.admitAttempt(machine, rolloutRef, TARGET);
            site.await("the start", () -> "InProgress".equals(readStatus(site, "to-1-36", "phase")));
            site.await("its condition", () -> "ExternalUpgradeInProgress".equals(readUpToDate(site, machine)));
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            site.await("the task's end", () -> read(site, task("to-1-36")) == null);
            assertThat(readUpToDate(site, machine)).isEqualTo("Ready");
            assertThat(readOwner(site, machine)).isNull();
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void deletedTaskIsHeldUntilNothingOfItRuns() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("held")) {
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine(WORKER);
            createTask(site, "held", WORKERS.formatted(""));
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            orchestrator.admitAttempt(machine, rolloutRef, TARGET);
            site.await("the start", () -> "InProgress".equals(readStatus(site, "held", "phase")));
            site.changeObjects(store -> store.delete(task("held"), ImmutableJson.EMPTY));
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            site.await("the abort", () -> readCompleted(site, "held").equals("Aborting"));
            assertThat(readOwner(site, machine))
                    .isEqualTo(Objects.requireNonNull(intent.task()).uid());
            orchestrator.reportSuccess(machine, rolloutRef);
            site.await("the task's end", () -> read(site, task("held")) == null);
            assertThat(readOwner(site, machine)).isNull();
            assertThat(readUpToDate(site, machine)).isNull();
        }
    }

    @Test
    void anotherWatcherGoesOnWithTheSameIntent() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "next", 1, 1, folder)) {
            WatchedTestSite.RunningWatcher first = site.startWatcher("a");
            FakeOrchestrator orchestrator = new FakeOrchestrator(site);
            MachineKey machine = site.machine(WORKER);
            createTask(site, "next", WORKERS.formatted(""));
            UpgradeIntent intent = orchestrator.awaitIntent(machine);
            first.close();
            RolloutRef rolloutRef = FakeOrchestrator.rolloutRefOf(intent);
            orchestrator.admitAttempt(machine, rolloutRef, TARGET);
            site.startWatcher("b");
            site.await("the start", () -> "InProgress".equals(readStatus(site, "next", "phase")));
            assertThat(site.readIntent(machine)).isEqualTo(intent);
            orchestrator.reportFailure(machine, rolloutRef, "no space left");
            site.await("the failure", () -> "Failed".equals(readStatus(site, "next", "phase")));
            site.await("its condition", () -> "Failed".equals(readUpToDate(site, machine)));
            site.await("the intent's end", () -> site.readIntent(machine) == null);
        }
    }

    @Test
    void updateOfClusterApiIsNotForeignWhileATaskDoesIt() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("capi")) {
            MachineKey machine = site.machine(WORKER);
            site.changeObjects(store -> store.change(
                    machine(machine),
                    tree -> ImmutableJson.with(
                            tree,
                            "",
                            "metadata",
                            "annotations",
                            "in-place-updates.internal.cluster.x-k8s.io/update-in-progress")));
            site.await("the foreign update", () -> readActivities(site, machine).equals("[FOREIGN]"));
            createTask(site, "capi", WORKERS.formatted(""));
            site.await("the task's update", () -> readActivities(site, machine).equals("[]"));
            assertThat(site.readIntent(machine)).isNotNull();
            assertThat(readUpToDate(site, machine)).isNull();
        }
    }

    private EmbeddedTestSite startWatchedSite(String name) throws Exception {
        EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), name, 1, 1, folder);
        site.startWatcher("a");
        site.await("all machines", () -> site.countMachines() == 4);
        return site;
    }

    private static void createTask(EmbeddedTestSite site, String name, String spec) throws Exception {
        JsonObjectReader parsed =
                (JsonObjectReader) Objects.requireNonNull(ImmutableJson.read(spec.getBytes(StandardCharsets.UTF_8)));
        site.changeObjects(store -> store.create(
                task(name),
                ImmutableJson.object(
                        "metadata", ImmutableJson.object("namespace", "fleet", "name", name), "spec", parsed)));
    }

    private static ObjectReference task(String name) {
        return BuiltInResources.UPGRADE_TASKS.named("fleet", name);
    }

    private static ObjectReference machine(MachineKey machine) {
        return BuiltInResources.MACHINES.named(machine.namespace(), machine.name());
    }

    private static String readStatus(EmbeddedTestSite site, String task, String field) {
        return ImmutableJson.textAt(read(site, task(task)), "status", field);
    }

    private static String readCompleted(EmbeddedTestSite site, String task) {
        return String.valueOf(readReason(site, task(task), "Completed"));
    }

    private static @Nullable String readUpToDate(EmbeddedTestSite site, MachineKey machine) {
        return readReason(site, machine(machine), "MachineUpToDate");
    }

    /** Returns the reason of a condition; null without one. */
    private static @Nullable String readReason(EmbeddedTestSite site, ObjectReference ref, String type) {
        return ImmutableJson.items(read(site, ref), "status", "conditions").stream()
                .filter(condition -> ImmutableJson.textAt(condition, "type").equals(type))
                .map(condition -> ImmutableJson.textAt(condition, "reason"))
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String readOwner(EmbeddedTestSite site, MachineKey machine) {
        String uid = ImmutableJson.textAt(
                read(site, machine(machine)), "metadata", "annotations", "flotilla.dev/upgrade-task");
        return uid.isEmpty() ? null : uid;
    }

    private static String readActivities(EmbeddedTestSite site, MachineKey machine) {
        return site.readInventory(machine) instanceof MachineRow row
                ? row.foreignActivities().toString()
                : "";
    }

    private static @Nullable JsonObjectReader read(EmbeddedTestSite site, ObjectReference ref) {
        AtomicReference<@Nullable StoredObject> found = new AtomicReference<>();
        try {
            site.changeObjects(store -> found.set(store.get(ref)));
        } catch (Exception e) {
            throw new IllegalStateException(ref.toString(), e);
        }
        StoredObject stored = found.get();
        return stored == null ? null : stored.tree();
    }
}
