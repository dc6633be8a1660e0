package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.FaultyTcpProxy;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A watcher that cannot reach its API server, whose store compacts its history in the meantime. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ApiServerOutageIT {
    /** The watcher lists again after this many broken watches. */
    private static final int BROKEN_WATCHES = 5;

    private static LocalKafka kafka;
    private static ManagementTestBed bed;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
    }

    @AfterAll
    static void stop() {
        bed.close();
        kafka.close();
    }

    @Test
    void findsChangesOfAnOutageByComparing() throws Exception {
        bed.cluster("grey");
        for (String name : List.of("deleted", "annotated", "untouched")) {
            bed.applyMachine(name, "grey");
        }
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.forwardTo(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "cut",
                        faultyTcpProxy.writeKubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.startWatcher("a");
            site.await("all with their nodes", () -> areReady(site, "deleted", "annotated", "untouched"));
            site.drainChanges();
            faultyTcpProxy.cut();
            site.await("a failed read", () -> !site.failedReads.isEmpty());
            bed.cluster.delete(ManagementTestBed.path("machines", "deleted"));
            bed.setUpgradeTo("annotated", "revision=7");
            bed.applyMachine("new", "grey");
            bed.cluster.compact();
            bed.cluster.restart();
            faultyTcpProxy.restore();
            site.await(
                    "the missed changes",
                    () -> site.readInventory(site.machine("deleted")) == null
                            && site.readIntent(site.machine("annotated")) != null
                            && areReady(site, "new"));
            List<RowChange> written = site.drainChanges();
            assertThat(written.stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.tombstone(Table.INVENTORY, site.machine("deleted")));
            assertThat(written.stream().filter(UpgradeIntent.class::isInstance)).hasSize(1);
            assertThat(written.stream()
                            .filter(MachineRow.class::isInstance)
                            .map(row -> ((MachineRow) row).key().name()))
                    .contains("new")
                    .doesNotContain("untouched");
        }
    }

    @Test
    void keepsObjectsThatItMustNotListAnyMore() throws Exception {
        bed.cluster("dim");
        bed.applyMachine("dim-deleted", "dim");
        bed.applyMachine("dim-stays", "dim");
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.forwardTo(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "dim",
                        faultyTcpProxy.writeKubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.startWatcher("a");
            site.await("all with their nodes", () -> areReady(site, "dim-deleted", "dim-stays"));
            site.drainChanges();
            bed.unbindRole();
            faultyTcpProxy.cut();
            faultyTcpProxy.restore();
            site.await("a forbidden request", () -> countForbidden(site) > 0);
            bed.cluster.delete(ManagementTestBed.path("machines", "dim-deleted"));
            // Enough failures that it has tried to list too.
            site.await("more forbidden requests", () -> countForbidden(site) > BROKEN_WATCHES + 1);
            assertThat(site.drainChanges()).isEmpty();
            bed.bindRole();
            site.await("the missed changes", () -> site.readInventory(site.machine("dim-deleted")) == null);
            assertThat(site.drainChanges().stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.tombstone(Table.INVENTORY, site.machine("dim-deleted")));
        }
    }

    private static long countForbidden(WatchedTestSite site) {
        return site.failedReads.stream()
                .filter(each -> each.startsWith("MACHINES") && each.contains("403"))
                .count();
    }

    private static boolean areReady(WatchedTestSite site, String... machines) {
        return List.of(machines).stream()
                .allMatch(name -> site.readInventory(site.machine(name)) instanceof MachineRow row && row.ready());
    }
}
