package dev.flotilla.managementwatcher.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.EmbeddedTestSite;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
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
    void publishesWhatThereIsAndThatItIsWatched() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "whole", 2, 2, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 10 && site.heartbeat() != null);
            assertThat(site.heartbeat())
                    .isEqualTo(new WatcherHeartbeat(
                            site.id,
                            uid(site),
                            "a",
                            Objects.requireNonNull(site.heartbeat()).sentAt(),
                            0,
                            SiteMode.DIRECT,
                            null,
                            null));
            ClusterRow cluster = (ClusterRow) Objects.requireNonNull(site.inventory(site.cluster("site-0-c-0")));
            assertThat(cluster.controlPlaneReplicas()).isEqualTo(3);
            assertThat(cluster.workerReplicas()).isEqualTo(2);
            MachineRow member = (MachineRow) Objects.requireNonNull(site.inventory(site.machine("site-0-c-1-cp-2")));
            assertThat(member.role()).isEqualTo(MachineRole.CONTROL_PLANE);
            assertThat(member.node()).isEqualTo("site-0-c-1-cp-2");
            assertThat(member.ready()).isTrue();
            assertThat(member.systemUuid()).isNotNull();
            assertThat(member.foreignActivities()).isEmpty();
        }
    }

    @Test
    void writesWhatBecomesDifferentAndNothingElse() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "changes", 1, 2, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 5);
            site.takeWritten();
            site.change(store -> {
                for (String name : List.of("site-0-c-0-w-0", "site-0-c-0-w-1")) {
                    // What kubelets and controllers say all day long.
                    store.change(
                            BuiltInResources.MACHINES.named("fleet", name),
                            tree -> ImmutableJson.with(tree, "later", "status", "lastUpdated"));
                }
                store.change(
                        BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-1"),
                        tree -> ImmutableJson.with(tree, "true", "metadata", "annotations", "flotilla.dev/hold"));
            });
            MachineKey held = site.machine("site-0-c-0-w-1");
            site.await("the hold", () -> site.inventory(held) instanceof MachineRow row && row.hold());
            assertThat(site.takeWritten()).hasSize(1);
        }
    }

    @Test
    void anAnnotationIsAnIntentUntilItIsRemoved() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "wishes", 1, 1, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 4);
            site.change(store -> {
                store.change(
                        BuiltInResources.CLUSTERS.named("fleet", "site-0-c-0"),
                        tree -> ImmutableJson.with(
                                tree, "channel=1.33-classic/stable", "metadata", "annotations", UPGRADE_TO));
                store.change(
                        BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-0"),
                        tree -> ImmutableJson.with(tree, "latest", "metadata", "annotations", UPGRADE_TO));
            });
            site.await("the intent", () -> site.intent(site.cluster("site-0-c-0")) != null);
            UpgradeIntent intent = (UpgradeIntent) Objects.requireNonNull(site.intent(site.cluster("site-0-c-0")));
            assertThat(intent.target()).isEqualTo(new UpgradeTarget.Channel("1.33-classic/stable"));
            assertThat(site.intent(site.machine("site-0-c-0-w-0"))).isNull();
            site.change(store -> store.change(
                    BuiltInResources.CLUSTERS.named("fleet", "site-0-c-0"),
                    tree -> ImmutableJson.without(tree, "metadata", "annotations")));
            site.await("its end", () -> site.intent(site.cluster("site-0-c-0")) == null);
        }
    }

    /** Nothing else tells a watcher of it that runs on: it writes only what becomes different. */
    @Test
    void writesEverythingAgainIntoATopicThatWasCreatedAgain() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "again", 1, 2, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 5 && site.heartbeat() != null);
            site.recreate(Table.INVENTORY);
            site.await("all machines again", () -> site.machines() == 5 && site.heartbeat() != null);
        }
    }

    @Test
    void whatWentOnWhileItWasAwayIsMadeGood() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "away", 1, 3, folder)) {
            WatchedTestSite.RunningWatcher first = site.watch("a");
            site.await("all machines", () -> site.machines() == 6);
            first.close();
            MachineKey wrong = site.machine("site-0-c-0-w-1");
            MachineRow right = (MachineRow) Objects.requireNonNull(site.inventory(wrong));
            site.change(store -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-0")));
            site.write(new ClusterRow(site.cluster("ghost"), "u", Labels.NONE, false, false, null, 1, 1));
            site.write(new UpgradeIntent(wrong, "u", new UpgradeTarget.Revision("7"), Instant.EPOCH));
            site.write(WatchedTestSite.gone(Table.INVENTORY, wrong));
            site.await("the difference", () -> site.inventory(wrong) == null && site.intent(wrong) != null);
            site.watch("b");
            site.await(
                    "its end",
                    () -> right.equals(site.inventory(wrong))
                            && site.intent(wrong) == null
                            && site.inventory(site.cluster("ghost")) == null
                            && site.inventory(site.machine("site-0-c-0-w-0")) == null);
            site.takeWritten();
            assertThat(site.nextHeartbeat().watcher()).isEqualTo("b");
            assertThat(site.takeWritten()).isEmpty();
        }
    }

    @Test
    void machinesThatSaidThatTheyWereBeingDeletedGoHoweverManyTheyAre() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "scale-in", 1, 20, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 23);
            List<String> leaving =
                    IntStream.range(0, 15).mapToObj(i -> "site-0-c-0-w-" + i).toList();
            site.change(store -> leaving.forEach(name -> {
                store.change(
                        BuiltInResources.MACHINES.named("fleet", name),
                        tree -> ImmutableJson.with(
                                tree, List.of("machine.cluster.x-k8s.io"), "metadata", "finalizers"));
                store.delete(BuiltInResources.MACHINES.named("fleet", name), new JsonObjectReader.Builder().build());
            }));
            site.await(
                    "that they leave",
                    () -> leaving.stream()
                            .allMatch(name ->
                                    site.inventory(site.machine(name)) instanceof MachineRow row && row.deleting()));
            site.change(store -> leaving.forEach(name -> store.remove(BuiltInResources.MACHINES.named("fleet", name))));
            site.await("that they are gone", () -> site.machines() == 8);
            assertThat(site.nextHeartbeat().withheldRemovals()).isZero();
        }
    }

    @Test
    void machinesThatVanishAtOnceStayUntilSomebodyAcceptsIt() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "vanish", 1, 12, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 15);
            site.takeWritten();
            site.change(store -> IntStream.range(0, 12)
                    .forEach(i -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-" + i))));
            site.await("the word", () -> missing(site) >= 2 && site.machines() == 3 + missing(site));
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1"));
            site.await("the end", () -> site.machines() == 3);
            assertThat(site.nextHeartbeat().withheldRemovals()).isZero();
        }
    }

    @Test
    void anOrderIsForWhatIsMissingWhenItIsGiven() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "early", 1, 12, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 15);
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1"));
            site.await("it to be spent", () -> "order-1".equals(followed(site)));
            site.change(store -> IntStream.range(0, 12)
                    .forEach(i -> store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-" + i))));
            site.await("the word", () -> missing(site) >= 2 && site.machines() == 3 + missing(site));
            int held = missing(site);
            site.watch("b");
            site.await("another watcher", () -> "b".equals(watcher(site)));
            assertThat(missing(site)).isEqualTo(held);
            // What else is said of the site is no new order.
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-1").withLocalPaths(List.of("/opt/snaps")));
            assertThat(site.nextHeartbeat().withheldRemovals()).isEqualTo(held);
            site.write(SiteStatus.of(site.id).withAcceptedRemoval("order-2"));
            site.await("the end", () -> site.machines() == 3);
        }
    }

    @Test
    void aListThatFailsRemovesNothing() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "failing", 1, 2, folder)) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == 5);
            site.takeWritten();
            site.change(store -> site.management().reachability(ApiReachability.UNAVAILABLE));
            site.await("trouble", () -> site.unseen.stream().anyMatch(each -> each.contains("503")));
            site.change(store -> {
                store.remove(BuiltInResources.MACHINES.named("fleet", "site-0-c-0-w-1"));
                site.management().reachability(ApiReachability.ANSWERS);
            });
            MachineKey gone = site.machine("site-0-c-0-w-1");
            site.await("what it missed", () -> site.inventory(gone) == null);
            List<RowChange> written = site.takeWritten();
            assertThat(written)
                    .allMatch(rowChange -> rowChange instanceof Tombstone || rowChange instanceof MachineRow);
            assertThat(written.stream().filter(Tombstone.class::isInstance)).hasSize(1);
        }
    }

    @Test
    void aSecondWatcherFencesTheFirstWhichTakesOverWhenItIsGone() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "two", 1, 1, folder)) {
            site.watch("a", new FastTime());
            site.await("a heartbeat", () -> site.heartbeat() != null);
            WatchedTestSite.RunningWatcher second = site.watch("b", new FastTime());
            site.await("the second", () -> "b".equals(watcher(site)));
            site.await(
                    "the first to notice",
                    () -> site.kafkaFailures.stream().anyMatch(each -> each.startsWith("fenced")));
            second.close();
            site.await("the first again", () -> "a".equals(watcher(site)));
            assertThat(site.machines()).isEqualTo(4);
        }
    }

    @Test
    void anotherManagementClusterThanTheSitesIsNotBelieved() throws Exception {
        try (EmbeddedTestSite site = EmbeddedTestSite.start(kafka.bootstrap(), "moved", 1, 1, folder)) {
            site.write(new WatcherHeartbeat(site.id, "another", "z", Instant.EPOCH, 0));
            site.watch("a");
            site.await("the refusal", () -> !site.others.isEmpty());
            assertThat(site.machines()).isZero();
        }
    }

    private static int missing(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.heartbeat();
        return beat == null ? 0 : beat.withheldRemovals();
    }

    private static @Nullable String followed(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.heartbeat();
        return beat == null ? null : beat.appliedRemovalOrder();
    }

    private static String watcher(EmbeddedTestSite site) {
        WatcherHeartbeat beat = site.heartbeat();
        return beat == null ? "" : beat.watcher();
    }

    private static String uid(EmbeddedTestSite site) throws Exception {
        String[] uid = new String[1];
        site.change(store -> uid[0] = ImmutableJson.textAt(
                Objects.requireNonNull(store.get(BuiltInResources.NAMESPACES.named("kube-system")))
                        .tree(),
                "metadata",
                "uid"));
        return uid[0];
    }

    /** Ten seconds pass in one. */
    private static final class FastTime implements WatcherClock {
        @Override
        public long wallMillis() {
            return WatcherClock.SYSTEM.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            return 10 * WatcherClock.SYSTEM.monotonicMillis();
        }
    }
}
