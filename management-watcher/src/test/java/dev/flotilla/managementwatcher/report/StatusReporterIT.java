package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.EmbeddedTestSite;
import dev.flotilla.managementwatcher.stub.SixtyfoldClock;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.simulator.kubernetes.store.ObjectReference;
import dev.flotilla.simulator.kubernetes.store.StoredObject;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A watcher on an embedded management cluster over HTTPS and a real Kafka; the test writes the orchestrator's rows. */
class StatusReporterIT {
    private static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
    private static final String HOOK = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/flotilla";
    private static final String WORKER = "site-0-c-0-w-0";
    private static final UpgradeTarget TARGET = new UpgradeTarget.Revision("1100");

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
    void intentIsFulfilledWithTwoPatches() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("intent", ProcessClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.readIntent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.readIntent(machine));
            site.write(runningStatus(site, intent, "42"));
            site.await("the start", () -> "in-progress".equals(readUpgradeAnnotation(site, machine, "status")));
            assertThat(readUpgradeAnnotation(site, machine, "change-id")).isEqualTo("42");
            site.await("the row", () -> site.readInventory(machine) instanceof MachineRow);
            assertThat(((MachineRow) Objects.requireNonNull(site.readInventory(machine))).foreignActivities())
                    .isEmpty();
            site.write(endedStatus(site, intent, MachineOutcome.SUCCEEDED));
            site.await("the end", () -> "done".equals(readUpgradeAnnotation(site, machine, "status")));
            assertThat(readUpgradeAnnotation(site, machine, "release")).isEqualTo(TARGET.text());
            assertThat(readUpgradeAnnotation(site, machine, "change-id")).isNull();
            assertThat(readUpgradeAnnotation(site, machine, "to")).isNull();
            site.await("the intent's end", () -> site.readIntent(machine) == null);
            site.await("its Events", () -> readEvents(site).size() == 2);
            assertThat(readEvents(site))
                    .containsExactlyInAnyOrder(
                            WORKER + " Normal InPlaceUpgradeInProgress Performing in place upgrade with revision=1100",
                            WORKER + " Normal InPlaceUpgradeDone Successfully performed in place upgrade with"
                                    + " revision=1100");
            assertThat(site.management().requestCounter().requests("patch machines"))
                    .isEqualTo(2);
            assertThat(site.failedWrites).isEmpty();
        }
    }

    @Test
    void annotationThatIsWrittenBeforeTheEndIsNotLost() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("other", ProcessClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.readIntent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.readIntent(machine));
            site.write(runningStatus(site, intent, "42"));
            site.await("the start", () -> "in-progress".equals(readUpgradeAnnotation(site, machine, "status")));
            annotate(site, machine, "to", "revision=1200");
            site.write(endedStatus(site, intent, MachineOutcome.SUCCEEDED));
            site.await("the end", () -> "done".equals(readUpgradeAnnotation(site, machine, "status")));
            assertThat(readUpgradeAnnotation(site, machine, "to")).isEqualTo("revision=1200");
            site.await(
                    "the other intent",
                    () -> site.readIntent(machine) instanceof UpgradeIntent other
                            && other.target().equals(new UpgradeTarget.Revision("1200")));
        }
    }

    @Test
    void invalidTargetIsReportedOnce() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("wrong", ProcessClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", "latest");
            site.await("the rejection", () -> "failed".equals(readUpgradeAnnotation(site, machine, "status")));
            site.await("the Event", () -> readEvents(site).size() == 1);
            assertThat(readEvents(site).getFirst())
                    .contains("Warning InPlaceUpgradeFailed", "latest", "channel=<channel>, revision=<revision>");
            assertThat(readUpgradeAnnotation(site, machine, "to")).isEqualTo("latest");
            assertThat(site.readIntent(machine)).isNull();
        }
    }

    @Test
    void clusterShowsTheProgressOfItsMachines() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("cluster", ProcessClock.SYSTEM)) {
            ClusterKey cluster = site.cluster("site-0-c-0");
            annotate(site, cluster, "to", TARGET.text());
            site.await("the intent", () -> site.readIntent(cluster) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.readIntent(cluster));
            site.write(intentStatus(intent, IntentStatus.IntentState.IN_PROGRESS));
            site.await("the start", () -> "in-progress".equals(readUpgradeAnnotation(site, cluster, "status")));
            assertThat(readUpgradeAnnotation(site, cluster, "to")).isEqualTo(TARGET.text());
            site.write(intentStatus(intent, IntentStatus.IntentState.DONE));
            site.await("the end", () -> "done".equals(readUpgradeAnnotation(site, cluster, "status")));
            assertThat(readUpgradeAnnotation(site, cluster, "release")).isEqualTo(TARGET.text());
            assertThat(readUpgradeAnnotation(site, cluster, "to")).isNull();
            assertThat(site.management().requestCounter().requests("patch clusters"))
                    .isEqualTo(2);
        }
    }

    @Test
    void removesGuardsThatAWorkerLeftBehind() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("guards", new SixtyfoldClock())) {
            MachineKey machine = site.machine(WORKER);
            leaveGuards(site, machine);
            site.await("the cleanup", () -> readAnnotation(site, machine, "flotilla.dev/attempt") == null);
            assertThat(readAnnotation(site, machine, "cluster.x-k8s.io/skip-remediation"))
                    .isNull();
            assertThat(readAnnotation(site, machine, "example.org/kept")).isEqualTo("mine");
        }
    }

    @Test
    void removesGuardsAtOnceAfterAFailureThatIsFinal() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("final", ProcessClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            String uid = readUid(site, machine);
            UpgradeIntent intent = new UpgradeIntent(machine, uid, TARGET, Instant.EPOCH);
            MachineStatus ended = endedStatus(site, intent, MachineOutcome.QUARANTINED);
            site.write(new MachineStatus(
                    machine,
                    uid,
                    null,
                    new AttemptFailure(
                            17,
                            FailureClass.TERMINAL,
                            FailureReason.NODE_UPGRADE_FAILED,
                            "no space left",
                            Instant.EPOCH),
                    ended.entries()));
            leaveGuards(site, machine);
            site.await("the cleanup", () -> readAnnotation(site, machine, "flotilla.dev/attempt") == null);
            assertThat(readAnnotation(site, machine, "cluster.x-k8s.io/skip-remediation"))
                    .isNull();
        }
    }

    @Test
    void holdsADeletedMachineForTenMinutesWhileItsAttemptGoesOn() throws Exception {
        SixtyfoldClock clock = new SixtyfoldClock();
        try (EmbeddedTestSite site = startWatchedSite("held", clock)) {
            MachineKey machine = site.machine(WORKER);
            UpgradeIntent intent = new UpgradeIntent(machine, readUid(site, machine), TARGET, Instant.EPOCH);
            site.write(runningStatus(site, intent, "42"));
            setAnnotation(
                    site,
                    machine,
                    "flotilla.dev/attempt",
                    "{\"attemptId\":17,\"owner\":\"0/w\",\"setAnnotations\":[]}");
            setAnnotation(site, machine, HOOK, "flotilla");
            long deletedAt = clock.monotonicMillis();
            site.changeObjects(store -> {
                store.change(
                        referenceTo(machine),
                        tree -> ImmutableJson.with(
                                tree,
                                new JsonValue.JsonArray(
                                        List.of(new JsonValue.JsonString(
                                                "machine.cluster.x-k8s.io", JsonValue.NO_LINE)),
                                        JsonValue.NO_LINE),
                                "metadata",
                                "finalizers"));
                store.delete(referenceTo(machine), ImmutableJson.EMPTY);
            });
            site.await("the release", () -> readAnnotation(site, machine, HOOK) == null);
            assertThat(clock.monotonicMillis() - deletedAt).isGreaterThanOrEqualTo(600_000);
            assertThat(readAnnotation(site, machine, "flotilla.dev/attempt")).isNotNull();
        }
    }

    @Test
    void removesAHookThatNoAttemptNames() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("hook", new SixtyfoldClock())) {
            MachineKey machine = site.machine(WORKER);
            setAnnotation(site, machine, HOOK, "flotilla");
            site.await("the cleanup", () -> readAnnotation(site, machine, HOOK) == null);
        }
    }

    private static String readUid(EmbeddedTestSite site, MachineKey machine) throws Exception {
        String[] uid = new String[1];
        site.changeObjects(store -> uid[0] = ImmutableJson.textAt(
                Objects.requireNonNull(store.get(referenceTo(machine))).tree(), "metadata", "uid"));
        return uid[0];
    }

    private static void setAnnotation(EmbeddedTestSite site, MachineKey machine, String key, String value)
            throws Exception {
        site.changeObjects(store -> store.change(
                referenceTo(machine), tree -> ImmutableJson.with(tree, value, "metadata", "annotations", key)));
    }

    @Test
    void statusOfAMachineWithStaleGuardsIsShownAtOnce() throws Exception {
        try (EmbeddedTestSite site = startWatchedSite("left", ProcessClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            leaveGuards(site, machine);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.readIntent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.readIntent(machine));
            site.write(runningStatus(site, intent, "42"));
            site.await("the start", () -> "in-progress".equals(readUpgradeAnnotation(site, machine, "status")));
        }
    }

    /** Leaves guards on a machine, as a worker that died. */
    private static void leaveGuards(EmbeddedTestSite site, MachineKey machine) throws Exception {
        site.changeObjects(store -> {
            ObjectReference ref = referenceTo(machine);
            store.change(
                    ref,
                    tree -> ImmutableJson.with(
                            ImmutableJson.with(
                                    ImmutableJson.with(
                                            tree, "", "metadata", "annotations", "cluster.x-k8s.io/skip-remediation"),
                                    "mine",
                                    "metadata",
                                    "annotations",
                                    "example.org/kept"),
                            "{\"attemptId\":17,\"owner\":\"0/w\",\"setAnnotations\":[\"cluster.x-k8s.io/skip-remediation\",\"example.org/kept\"]}",
                            "metadata",
                            "annotations",
                            "flotilla.dev/attempt"));
        });
    }

    private EmbeddedTestSite startWatchedSite(String name, ProcessClock clock) throws Exception {
        EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), name, 1, 1, folder);
        site.startWatcher("a", clock);
        site.await("all machines", () -> site.countMachines() == 4);
        return site;
    }

    private static MachineStatus runningStatus(EmbeddedTestSite site, UpgradeIntent intent, String changeId) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
        AttemptState state = new AttemptState.Running(AttemptStep.REFRESHING, changeId, Instant.now());
        return new MachineStatus(
                site.machine(WORKER),
                intent.uid(),
                new UpgradeAttempt(17, rolloutRef, intent.target(), state, Instant.now(), false, null),
                null,
                List.of(entry(rolloutRef, intent, MachineOutcome.OPEN)));
    }

    private static MachineStatus endedStatus(EmbeddedTestSite site, UpgradeIntent intent, MachineOutcome outcome) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
        return new MachineStatus(
                site.machine(WORKER), intent.uid(), null, null, List.of(entry(rolloutRef, intent, outcome)));
    }

    private static RolloutEntry entry(RolloutRef rolloutRef, UpgradeIntent intent, MachineOutcome outcome) {
        return new RolloutEntry(rolloutRef, "", 0, null, null, null, outcome, null, intent.target(), null);
    }

    private static IntentStatus intentStatus(UpgradeIntent intent, IntentStatus.IntentState state) {
        return new IntentStatus(
                intent.object(), intent.uid(), intent.requestedAt(), intent.target(), state, null, 4, 2, 0, null);
    }

    private static void annotate(EmbeddedTestSite site, ObjectKey key, String name, String value) throws Exception {
        site.changeObjects(store -> store.change(
                referenceTo(key), tree -> ImmutableJson.with(tree, value, "metadata", "annotations", KEYS + name)));
    }

    private static @Nullable String readUpgradeAnnotation(EmbeddedTestSite site, ObjectKey key, String name) {
        return readAnnotation(site, key, KEYS + name);
    }

    private static @Nullable String readAnnotation(EmbeddedTestSite site, ObjectKey key, String annotation) {
        String[] value = new String[1];
        runStoreAction(
                site,
                () -> site.changeObjects(store -> {
                    StoredObject stored = Objects.requireNonNull(store.get(referenceTo(key)));
                    value[0] = ImmutableJson.valueAt(stored.tree(), "metadata", "annotations", annotation) == null
                            ? null
                            : ImmutableJson.textAt(stored.tree(), "metadata", "annotations", annotation);
                }));
        return value[0];
    }

    private static List<String> readEvents(EmbeddedTestSite site) {
        List<String> events = new ArrayList<>();
        runStoreAction(
                site,
                () -> site.changeObjects(store -> {
                    for (StoredObject event :
                            store.resourceStore(BuiltInResources.EVENTS).objectsInNamespace("fleet")) {
                        events.add(String.join(
                                " ",
                                ImmutableJson.textAt(event.tree(), "involvedObject", "name"),
                                ImmutableJson.textAt(event.tree(), "type"),
                                ImmutableJson.textAt(event.tree(), "reason"),
                                ImmutableJson.textAt(event.tree(), "message")));
                    }
                }));
        return events;
    }

    private interface StoreAction {
        void run() throws Exception;
    }

    private static void runStoreAction(EmbeddedTestSite site, StoreAction storeAction) {
        try {
            storeAction.run();
        } catch (Exception e) {
            throw new IllegalStateException(site.id.toString(), e);
        }
    }

    private static ObjectReference referenceTo(ObjectKey key) {
        return (key instanceof MachineKey ? BuiltInResources.MACHINES : BuiltInResources.CLUSTERS)
                .named(key.namespace(), key.name());
    }
}
