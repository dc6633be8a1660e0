package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.FaultyTcpProxy;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site of many machines: its API server cannot be reached for minutes, forgets all versions, and comes back; then it says
 * nothing more over a connection that looks as if it stood. Takes some minutes, in the profile {@code whole} alone.
 */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class LargeSiteOutageIT {
    private static final int MACHINES = Integer.getInteger("flotilla.watcher.machines", 20_000);
    private static final int AT_ONCE = 16;

    /** The pauses between two tries grow to half a minute: so many of them take two or three. */
    private static final int TRIES = 10;

    private static final int WISHES = 100;

    private LocalKafka kafka;
    private ManagementTestBed bed;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
        bed.cluster("many");
        atOnce(IntStream.range(0, MACHINES).mapToObj(i -> () -> bed.machine("m-" + i, "many")));
    }

    @AfterEach
    void stop() {
        bed.close();
        kafka.close();
    }

    @Test
    void nothingIsRemovedMeanwhileAndAllIsMadeGood() throws Exception {
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.to(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "large",
                        faultyTcpProxy.kubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.watch("a");
            site.await("all machines", () -> site.machines() == MACHINES);
            WatcherHeartbeat before = site.nextHeartbeat();
            site.takeWritten();

            faultyTcpProxy.cut();
            for (int tries = 1; tries <= TRIES; tries++) {
                long wanted = tries;
                site.await("a try", () -> tries(site) >= wanted);
            }
            assertThat(site.takeWritten()).isEmpty();
            WatcherHeartbeat last = site.heartbeat();
            bed.cluster.delete(ManagementTestBed.path("machines", "m-0"));
            bed.cluster.delete(ManagementTestBed.path("machines", "m-1"));
            bed.machine("late", "many");
            atOnce(IntStream.range(2, 2 + WISHES).mapToObj(i -> () -> bed.wish("m-" + i, "revision=7")));
            bed.cluster.compact();
            bed.cluster.restart();
            faultyTcpProxy.mend();
            site.await(
                    "what it missed",
                    () -> site.machines() == MACHINES - 1
                            && site.inventory(site.machine("late")) != null
                            && wished(site) == WISHES);
            List<RowChange> written = site.takeWritten();
            assertThat(written.stream().filter(Tombstone.class::isInstance)).hasSize(2);
            assertThat(written.stream().filter(UpgradeIntent.class::isInstance)).hasSize(WISHES);
            assertThat(site.nextHeartbeat()).isNotEqualTo(last).isNotEqualTo(before);

            faultyTcpProxy.freeze();
            bed.wish("m-200", "revision=8");
            site.unseen.clear();
            // Its watch lasts for a minute, and is waited for ten seconds longer.
            site.await("doubt", () -> site.unseen.stream().anyMatch(why -> why.contains("is no more")));
            faultyTcpProxy.mend();
            site.await("what it missed", () -> site.intent(site.machine("m-200")) != null);
            assertThat(site.takeWritten().stream().filter(Tombstone.class::isInstance))
                    .isEmpty();
        }
    }

    private static long tries(WatchedTestSite site) {
        return site.unseen.stream().filter(why -> why.startsWith("MACHINES:")).count();
    }

    private long wished(WatchedTestSite site) {
        return IntStream.range(2, 2 + WISHES)
                .filter(i -> site.intent(site.machine("m-" + i)) != null)
                .count();
    }

    private static void atOnce(Stream<Runnable> all) throws Exception {
        try (ExecutorService hands = Executors.newFixedThreadPool(AT_ONCE)) {
            List<Future<?>> done = all.<Future<?>>map(hands::submit).toList();
            for (Future<?> each : done) {
                each.get();
            }
        }
    }
}
