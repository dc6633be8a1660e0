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
 * A site of many machines: its API server is unreachable for minutes, loses its history and returns; then a connection
 * freezes. Takes some minutes and runs only in the profile {@code whole}.
 */
@Tag("nightly")
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class LargeSiteOutageIT {
    private static final int MACHINES = Integer.getInteger("flotilla.watcher.machines", 20_000);
    private static final int CONCURRENCY = 16;

    /** Failed reads to wait for: pauses grow to half a minute, so this takes two or three minutes. */
    private static final int FAILED_READS = 10;

    private static final int ANNOTATED = 100;

    private LocalKafka kafka;
    private ManagementTestBed bed;

    @TempDir
    Path folder;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
        bed.cluster("many");
        runConcurrently(IntStream.range(0, MACHINES).mapToObj(i -> () -> bed.applyMachine("m-" + i, "many")));
    }

    @AfterEach
    void stop() {
        bed.close();
        kafka.close();
    }

    @Test
    void withholdsTombstonesWhileTheApiServerIsDownAndCatchesUpAfterwards() throws Exception {
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.forwardTo(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "large",
                        faultyTcpProxy.writeKubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.startWatcher("a");
            site.await("all machines", () -> site.countMachines() == MACHINES);
            WatcherHeartbeat before = site.awaitNextHeartbeat();
            site.drainChanges();

            faultyTcpProxy.cut();
            for (int tries = 1; tries <= FAILED_READS; tries++) {
                long expected = tries;
                site.await("a failed read", () -> countFailedReads(site) >= expected);
            }
            assertThat(site.drainChanges()).isEmpty();
            WatcherHeartbeat last = site.readHeartbeat();
            bed.cluster.delete(ManagementTestBed.path("machines", "m-0"));
            bed.cluster.delete(ManagementTestBed.path("machines", "m-1"));
            bed.applyMachine("late", "many");
            runConcurrently(
                    IntStream.range(2, 2 + ANNOTATED).mapToObj(i -> () -> bed.setUpgradeTo("m-" + i, "revision=7")));
            bed.cluster.compact();
            bed.cluster.restart();
            faultyTcpProxy.restore();
            site.await(
                    "the missed changes",
                    () -> site.countMachines() == MACHINES - 1
                            && site.readInventory(site.machine("late")) != null
                            && countIntents(site) == ANNOTATED);
            List<RowChange> written = site.drainChanges();
            assertThat(written.stream().filter(Tombstone.class::isInstance)).hasSize(2);
            assertThat(written.stream().filter(UpgradeIntent.class::isInstance)).hasSize(ANNOTATED);
            assertThat(site.awaitNextHeartbeat()).isNotEqualTo(last).isNotEqualTo(before);

            faultyTcpProxy.freeze();
            bed.setUpgradeTo("m-200", "revision=8");
            site.failedReads.clear();
            // A watch lasts one minute, with ten seconds of grace.
            site.await(
                    "a failed watch",
                    () -> site.failedReads.stream().anyMatch(reason -> reason.contains("connection is dead")));
            faultyTcpProxy.restore();
            site.await("the missed changes", () -> site.readIntent(site.machine("m-200")) != null);
            assertThat(site.drainChanges().stream().filter(Tombstone.class::isInstance))
                    .isEmpty();
        }
    }

    private static long countFailedReads(WatchedTestSite site) {
        return site.failedReads.stream()
                .filter(reason -> reason.startsWith("MACHINES:"))
                .count();
    }

    private long countIntents(WatchedTestSite site) {
        return IntStream.range(2, 2 + ANNOTATED)
                .filter(i -> site.readIntent(site.machine("m-" + i)) != null)
                .count();
    }

    private static void runConcurrently(Stream<Runnable> all) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(CONCURRENCY)) {
            List<Future<?>> done = all.<Future<?>>map(executor::submit).toList();
            for (Future<?> each : done) {
                each.get();
            }
        }
    }
}
