package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.publish.WatcherClock;
import dev.flotilla.managementwatcher.stub.EmbeddedTestSite;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
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

/** A watcher on an embedded management cluster over HTTPS and a real Kafka; the orchestrator is played by hand. */
class StatusReporterIT {
    private static final String KEYS = "v1beta2.k8sd.io/in-place-upgrade-";
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
    void aWishIsFulfilledWithTwoPatches() throws Exception {
        try (EmbeddedTestSite site = watched("wish", WatcherClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.intent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.intent(machine));
            site.write(running(site, intent, "42"));
            site.await("the beginning", () -> "in-progress".equals(annotation(site, machine, "status")));
            assertThat(annotation(site, machine, "change-id")).isEqualTo("42");
            site.await("the row", () -> site.inventory(machine) instanceof MachineRow);
            assertThat(((MachineRow) Objects.requireNonNull(site.inventory(machine))).foreignActivities())
                    .isEmpty();
            site.write(ended(site, intent, MachineOutcome.SUCCEEDED));
            site.await("the end", () -> "done".equals(annotation(site, machine, "status")));
            assertThat(annotation(site, machine, "release")).isEqualTo(TARGET.text());
            assertThat(annotation(site, machine, "change-id")).isNull();
            assertThat(annotation(site, machine, "to")).isNull();
            site.await("the intent's end", () -> site.intent(machine) == null);
            site.await("its Events", () -> events(site).size() == 2);
            assertThat(events(site))
                    .containsExactlyInAnyOrder(
                            WORKER + " Normal InPlaceUpgradeInProgress Performing in place upgrade with revision=1100",
                            WORKER + " Normal InPlaceUpgradeDone Successfully performed in place upgrade with"
                                    + " revision=1100");
            assertThat(site.management().requestCounter().requests("patch machines"))
                    .isEqualTo(2);
            assertThat(site.unamended).isEmpty();
        }
    }

    @Test
    void anotherWishThatIsWrittenBeforeTheEndIsNotLost() throws Exception {
        try (EmbeddedTestSite site = watched("other", WatcherClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.intent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.intent(machine));
            site.write(running(site, intent, "42"));
            site.await("the beginning", () -> "in-progress".equals(annotation(site, machine, "status")));
            annotate(site, machine, "to", "revision=1200");
            site.write(ended(site, intent, MachineOutcome.SUCCEEDED));
            site.await("the end", () -> "done".equals(annotation(site, machine, "status")));
            assertThat(annotation(site, machine, "to")).isEqualTo("revision=1200");
            site.await(
                    "the other intent",
                    () -> site.intent(machine) instanceof UpgradeIntent other
                            && other.target().equals(new UpgradeTarget.Revision("1200")));
        }
    }

    @Test
    void anOptionThatIsNoneIsToldOnce() throws Exception {
        try (EmbeddedTestSite site = watched("wrong", WatcherClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            annotate(site, machine, "to", "latest");
            site.await("the refusal", () -> "failed".equals(annotation(site, machine, "status")));
            site.await("the Event", () -> events(site).size() == 1);
            assertThat(events(site).getFirst())
                    .contains("Warning InPlaceUpgradeFailed", "latest", "channel=<channel>, revision=<revision>");
            assertThat(annotation(site, machine, "to")).isEqualTo("latest");
            assertThat(site.intent(machine)).isNull();
        }
    }

    @Test
    void aClusterShowsHowFarItsMachinesAre() throws Exception {
        try (EmbeddedTestSite site = watched("cluster", WatcherClock.SYSTEM)) {
            ClusterKey cluster = site.cluster("site-0-c-0");
            annotate(site, cluster, "to", TARGET.text());
            site.await("the intent", () -> site.intent(cluster) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.intent(cluster));
            site.write(status(intent, IntentStatus.IntentState.IN_PROGRESS));
            site.await("the beginning", () -> "in-progress".equals(annotation(site, cluster, "status")));
            assertThat(annotation(site, cluster, "to")).isEqualTo(TARGET.text());
            site.write(status(intent, IntentStatus.IntentState.DONE));
            site.await("the end", () -> "done".equals(annotation(site, cluster, "status")));
            assertThat(annotation(site, cluster, "release")).isEqualTo(TARGET.text());
            assertThat(annotation(site, cluster, "to")).isNull();
            assertThat(site.management().requestCounter().requests("patch clusters"))
                    .isEqualTo(2);
        }
    }

    @Test
    void guardsThatWereLeftAreSwept() throws Exception {
        try (EmbeddedTestSite site = watched("guards", new HastyTime())) {
            MachineKey machine = site.machine(WORKER);
            leave(site, machine);
            site.await("the sweep", () -> read(site, machine, "flotilla.dev/attempt") == null);
            assertThat(read(site, machine, "cluster.x-k8s.io/skip-remediation")).isNull();
            assertThat(read(site, machine, "example.org/kept")).isEqualTo("mine");
        }
    }

    @Test
    void whatIsToldOfAMachineWithGuardsThatWereLeftIsShownAtOnce() throws Exception {
        try (EmbeddedTestSite site = watched("left", WatcherClock.SYSTEM)) {
            MachineKey machine = site.machine(WORKER);
            leave(site, machine);
            annotate(site, machine, "to", TARGET.text());
            site.await("the intent", () -> site.intent(machine) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.intent(machine));
            site.write(running(site, intent, "42"));
            site.await("the beginning", () -> "in-progress".equals(annotation(site, machine, "status")));
        }
    }

    /** As a worker that nobody heard of again. */
    private static void leave(EmbeddedTestSite site, MachineKey machine) throws Exception {
        site.change(store -> {
            ObjectReference ref = ref(machine);
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
                            "{\"attempt\":17,\"owner\":\"0/w\",\"set\":[\"cluster.x-k8s.io/skip-remediation\",\"example.org/kept\"]}",
                            "metadata",
                            "annotations",
                            "flotilla.dev/attempt"));
        });
    }

    private EmbeddedTestSite watched(String name, WatcherClock time) throws Exception {
        EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), name, 1, 1, folder);
        site.watch("a", time);
        site.await("all machines", () -> site.machines() == 4);
        return site;
    }

    private static MachineStatus running(EmbeddedTestSite site, UpgradeIntent intent, String changeId) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.since());
        AttemptState state = new AttemptState.Running(AttemptStep.REFRESHING, changeId, Instant.now());
        return new MachineStatus(
                site.machine(WORKER),
                intent.uid(),
                new UpgradeAttempt(17, rolloutRef, intent.target(), state, Instant.now(), false, null),
                null,
                List.of(new RolloutEntry(rolloutRef, "", 0, null, MachineOutcome.OPEN)));
    }

    private static MachineStatus ended(EmbeddedTestSite site, UpgradeIntent intent, MachineOutcome outcome) {
        RolloutRef rolloutRef = new RolloutRef.IntentRef(intent.object(), intent.since());
        return new MachineStatus(
                site.machine(WORKER),
                intent.uid(),
                null,
                null,
                List.of(new RolloutEntry(rolloutRef, "", 0, null, outcome)));
    }

    private static IntentStatus status(UpgradeIntent intent, IntentStatus.IntentState state) {
        return new IntentStatus(
                intent.object(), intent.uid(), intent.since(), intent.target(), state, null, 4, 2, 0, null);
    }

    private static void annotate(EmbeddedTestSite site, ObjectKey key, String name, String value) throws Exception {
        site.change(store -> store.change(
                ref(key), tree -> ImmutableJson.with(tree, value, "metadata", "annotations", KEYS + name)));
    }

    private static @Nullable String annotation(EmbeddedTestSite site, ObjectKey key, String name) {
        return read(site, key, KEYS + name);
    }

    private static @Nullable String read(EmbeddedTestSite site, ObjectKey key, String annotation) {
        String[] found = new String[1];
        look(
                site,
                () -> site.change(store -> {
                    StoredObject there = Objects.requireNonNull(store.get(ref(key)));
                    found[0] = ImmutableJson.valueAt(there.tree(), "metadata", "annotations", annotation) == null
                            ? null
                            : ImmutableJson.textAt(there.tree(), "metadata", "annotations", annotation);
                }));
        return found[0];
    }

    private static List<String> events(EmbeddedTestSite site) {
        List<String> events = new ArrayList<>();
        look(
                site,
                () -> site.change(store -> {
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

    private interface Look {
        void look() throws Exception;
    }

    private static void look(EmbeddedTestSite site, Look look) {
        try {
            look.look();
        } catch (Exception e) {
            throw new IllegalStateException(site.id.toString(), e);
        }
    }

    private static ObjectReference ref(ObjectKey key) {
        return (key instanceof MachineKey ? BuiltInResources.MACHINES : BuiltInResources.CLUSTERS)
                .named(key.namespace(), key.name());
    }

    /** A minute passes in a second. */
    private static final class HastyTime implements WatcherClock {
        @Override
        public long wallMillis() {
            return WatcherClock.SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            return 60 * WatcherClock.SYSTEM.monotonicMillis();
        }
    }
}
