package dev.flotilla.managementwatcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.EmbeddedTestSite;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.simulator.kubernetes.ApiReachability;
import dev.flotilla.simulator.kubernetes.json.ImmutableJson;
import dev.flotilla.simulator.kubernetes.store.BuiltInResources;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Watchers on an embedded management cluster over HTTPS and a real Kafka. */
class SiteRowPublisherIT {
    private static final String UPGRADE_TO = "v1beta2.k8sd.io/in-place-upgrade-to";

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
    void publishesInventoryAndHeartbeat() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "whole", 2, 2, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 10 && site.readHeartbeat() != null);
            assertThat(site.readHeartbeat())
                    .isEqualTo(new WatcherHeartbeat(
                            site.id,
                            readClusterUid(site),
                            "a",
                            Objects.requireNonNull(site.readHeartbeat()).sentAt(),
                            0,
                            SiteMode.DIRECT,
                            null,
                            null));
            ClusterRow cluster = (ClusterRow) Objects.requireNonNull(site.readInventory(site.cluster("site-0-c-0")));
            assertThat(cluster.controlPlaneReplicas()).isEqualTo(3);
            assertThat(cluster.workerReplicas()).isEqualTo(2);
            MachineRow member =
                    (MachineRow) Objects.requireNonNull(site.readInventory(site.machine("site-0-c-1-cp-2")));
            assertThat(member.role()).isEqualTo(MachineRole.CONTROL_PLANE);
            assertThat(member.node()).isEqualTo("site-0-c-1-cp-2");
            assertThat(member.ready()).isTrue();
            assertThat(member.systemUuid()).isNotNull();
            assertThat(member.foreignActivities()).isEmpty();
        }
    }

    @Test
    void writesOnlyChangedRows() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "changes", 1, 2, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 5);
            site.drainChanges();
            site.changeObjects(store -> {
                for (String name : List.of("site-0-c-0-w-0", "site-0-c-0-w-1")) {
                    // An update that kubelets and controllers write all the time.
                    store.change(
                            BuiltInResources.MACHINES.named("fleet", name),
                            tree -> ImmutableJson.with(tree, "later", "status", "lastUpdated"));
                }
                store.change(
                        BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-1"),
                        tree -> ImmutableJson.with(tree, "true", "metadata", "annotations", "flotilla.dev/hold"));
            });
            MachineKey withheld = site.machine("site-0-c-0-w-1");
            site.await("the hold", () -> site.readInventory(withheld) instanceof MachineRow row && row.hold());
            assertThat(site.drainChanges()).hasSize(1);
        }
    }

    @Test
    void annotationIsAnIntentUntilItIsRemoved() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "intents", 1, 1, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 4);
            site.changeObjects(store -> {
                store.change(
                        BuiltInResources.CLUSTERS.named("fleet", "site-0-c-0"),
                        tree -> ImmutableJson.with(
                                tree, "channel=1.33-classic/stable", "metadata", "annotations", UPGRADE_TO));
                store.change(
                        BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-0"),
                        tree -> ImmutableJson.with(tree, "latest", "metadata", "annotations", UPGRADE_TO));
            });
            site.await("the intent", () -> site.readIntent(site.cluster("site-0-c-0")) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.readIntent(site.cluster("site-0-c-0")));
            assertThat(intent.target()).isEqualTo(new UpgradeTarget.Channel("1.33-classic/stable"));
            assertThat(site.readIntent(site.machine("site-0-c-0-w-0"))).isNull();
            site.changeObjects(store -> store.change(
                    BuiltInResources.CLUSTERS.named("fleet", "site-0-c-0"),
                    tree -> ImmutableJson.without(tree, "metadata", "annotations")));
            site.await("its end", () -> site.readIntent(site.cluster("site-0-c-0")) == null);
        }
    }

    /** A running watcher writes only changed rows, so it must notice this by itself. */
    @Test
    void writesEverythingAgainIntoATopicThatWasCreatedAgain() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "again", 1, 2, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 5 && site.readHeartbeat() != null);
            site.recreateTopic(Table.INVENTORY);
            site.await("all machines again", () -> site.countMachines() == 5 && site.readHeartbeat() != null);
        }
    }

    @Test
    void correctsRowsThatChangedWhileNoWatcherRan() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "away", 1, 3, folder)) {
            WatchedTestSite.RunningWatcher first = site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 6);
            first.close();
            MachineKey changed = site.machine("site-0-c-0-w-1");
            MachineRow expected = (MachineRow) Objects.requireNonNull(site.readInventory(changed));
            site.changeObjects(store -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-0")));
            site.write(new ClusterRow(site.cluster("ghost"), "u", Labels.NONE, false, false, null, 1, 1));
            site.write(new UpgradeIntent(changed, "u", new UpgradeTarget.Revision("7"), Instant.EPOCH));
            site.write(WatchedTestSite.tombstone(Table.INVENTORY, changed));
            site.await("the difference", () -> site.readInventory(changed) == null && site.readIntent(changed) != null);
            site.startWatcher("b");
            site.await(
                    "its end",
                    () -> expected.equals(site.readInventory(changed))
                            && site.readIntent(changed) == null
                            && site.readInventory(site.cluster("ghost")) == null
                            && site.readInventory(site.machine("site-0-c-0-w-0")) == null);
            site.drainChanges();
            assertThat(site.awaitNextHeartbeat().watcher()).isEqualTo("b");
            assertThat(site.drainChanges()).isEmpty();
        }
    }

    @Test
    void removesAnyNumberOfMachinesThatWereBeingDeleted() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "scale-in", 1, 20, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 23);
            List<String> names =
                    IntStream.range(0, 15).mapToObj(i -> "site-0-c-0-w-" + i).toList();
            site.changeObjects(store -> names.forEach(name -> {
                store.change(
                        BuiltInResources.MACHINES.named("fleet", name),
                        tree -> ImmutableJson.with(
                                tree, List.of("machine.cluster.x-k8s.io"), "metadata", "finalizers"));
                store.delete(BuiltInResources.MACHINES.named("fleet", name), new JsonObjectReader.Builder().build());
            }));
            site.await(
                    "that they are being deleted",
                    () -> names.stream()
                            .allMatch(name -> site.readInventory(site.machine(name)) instanceof MachineRow row
                                    && row.deleting()));
            site.changeObjects(
                    store -> names.forEach(name -> store.remove(BuiltInResources.MACHINES.named("fleet", name))));
            site.await("that they are deleted", () -> site.countMachines() == 8);
            assertThat(site.awaitNextHeartbeat().withheldRemovals()).isZero();
        }
    }

    @Test
    void withholdsAMassRemovalUntilAnOrderAcceptsIt() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "vanish", 1, 12, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 15);
            site.drainChanges();
            site.changeObjects(store -> IntStream.range(0, 12)
                    .forEach(i -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-" + i))));
            site.await(
                    "the withheld removals",
                    () -> countWithheld(site) >= 2 && site.countMachines() == 3 + countWithheld(site));
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1"));
            site.await("the end", () -> site.countMachines() == 3);
            assertThat(readAppliedOrder(site)).as("with the last removals").isEqualTo("order-1");
            assertThat(site.awaitNextHeartbeat().withheldRemovals()).isZero();
        }
    }

    @Test
    void orderAcceptsOnlyRemovalsWithheldBefore() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "early", 1, 12, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 15);
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1"));
            site.await("that it is applied", () -> "order-1".equals(readAppliedOrder(site)));
            site.changeObjects(store -> IntStream.range(0, 12)
                    .forEach(i -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-" + i))));
            site.await(
                    "the withheld removals",
                    () -> countWithheld(site) >= 2 && site.countMachines() == 3 + countWithheld(site));
            int withheld = countWithheld(site);
            site.startWatcher("b");
            site.await("another watcher", () -> "b".equals(readWatcherName(site)));
            assertThat(countWithheld(site)).isEqualTo(withheld);
            // Another change of the site's status is not a new order.
            site.write(SiteStatus.of(site.id)
                    .withAcceptedRemoval("order-1")
                    .withRules(new SiteAnnotationRules(List.of("/opt/snaps"), List.of(), List.of())));
            assertThat(site.awaitNextHeartbeat().withheldRemovals()).isEqualTo(withheld);
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-2"));
            site.await("the end", () -> site.countMachines() == 3);
        }
    }

    @Test
    void withholdsWhatAnEarlierWatcherWithheld() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "resumed", 1, 2, folder)) {
            WatchedTestSite.RunningWatcher first = site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 5 && site.readHeartbeat() != null);
            first.close();
            site.changeObjects(store -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-0")));
            site.write(new WatcherHeartbeat(site.id, readClusterUid(site), "a", Instant.EPOCH, 11));
            site.startWatcher("b");
            site.await("another watcher", () -> "b".equals(readWatcherName(site)));
            assertThat(countWithheld(site)).isEqualTo(1);
            assertThat(site.countMachines()).isEqualTo(5);
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1"));
            site.await("the end", () -> site.countMachines() == 4);
        }
    }

    @Test
    void failedListRemovesNothing() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "failing", 1, 2, folder)) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == 5);
            site.drainChanges();
            site.changeObjects(store -> site.management().reachability(ApiReachability.UNAVAILABLE));
            site.await("a failed read", () -> site.failedReads.stream().anyMatch(each -> each.contains("503")));
            site.changeObjects(store -> {
                store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-1"));
                site.management().reachability(ApiReachability.ANSWERS);
            });
            MachineKey deleted = site.machine("site-0-c-0-w-1");
            site.await("the missed change", () -> site.readInventory(deleted) == null);
            List<RowChange> written = site.drainChanges();
            assertThat(written)
                    .allMatch(rowChange -> rowChange instanceof Tombstone || rowChange instanceof MachineRow);
            assertThat(written.stream().filter(Tombstone.class::isInstance)).hasSize(1);
        }
    }

    @Test
    void secondWatcherFencesTheFirstWhichTakesOverAfterwards() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "two", 1, 1, folder)) {
            site.startWatcher("a", new TenfoldClock());
            site.await("a heartbeat", () -> site.readHeartbeat() != null);
            WatchedTestSite.RunningWatcher second = site.startWatcher("b", new TenfoldClock());
            site.await("the second", () -> "b".equals(readWatcherName(site)));
            site.await(
                    "the first to notice",
                    () -> site.kafkaFailures.stream().anyMatch(each -> each.startsWith("fenced")));
            second.close();
            site.await("the first again", () -> "a".equals(readWatcherName(site)));
            assertThat(site.countMachines()).isEqualTo(4);
        }
    }

    @Test
    void writesNothingFromAnotherManagementCluster() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "moved", 1, 1, folder)) {
            site.write(new WatcherHeartbeat(site.id, "another", "z", Instant.EPOCH, 0));
            site.startWatcher("a");
            site.await("the rejection", () -> !site.foreignClusters.isEmpty());
            assertThat(site.countMachines()).isZero();
        }
    }

    private static int countWithheld(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.readHeartbeat();
        return beat == null ? 0 : beat.withheldRemovals();
    }

    private static @Nullable String readAppliedOrder(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.readHeartbeat();
        return beat == null ? null : beat.appliedRemovalOrder();
    }

    private static String readWatcherName(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.readHeartbeat();
        return beat == null ? "" : beat.watcher();
    }

    private static String readClusterUid(EmbeddedTestSite site) throws Exception {
        String[] uid = new String[1];
        site.changeObjects(store -> uid[0] = ImmutableJson.textAt(
                Objects.requireNonNull(store.get(BuiltInResources.NAMESPACES.named("kube-system")))
                        .tree(),
                "metadata",
                "uid"));
        return uid[0];
    }

    /** A clock that runs ten times as fast. */
    private static final class TenfoldClock implements ProcessClock {
        @Override
        public long wallMillis() {
            return ProcessClock.SYSTEM.wallMillis();
        }

        @Override
        public long monotonicNanos() {
            return 10 * ProcessClock.SYSTEM.monotonicNanos();
        }
    }
}
