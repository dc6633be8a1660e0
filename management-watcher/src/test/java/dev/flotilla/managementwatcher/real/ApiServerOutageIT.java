package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.FaultyTcpProxy;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A watcher that cannot reach its API server, whose store forgets meanwhile what has happened. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ApiServerOutageIT {
    /** After so many watches that break off it lists again. */
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
    void whatNobodyRemembersAnyMoreIsFoundByComparing() throws Exception {
        bed.cluster("grey");
        for (String name : List.of("deleted", "wished-for", "untouched")) {
            bed.machine(name, "grey");
        }
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.to(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "cut",
                        faultyTcpProxy.kubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.watch("a");
            site.await("all with their nodes", () -> ready(site, "deleted", "wished-for", "untouched"));
            site.takeWritten();
            faultyTcpProxy.cut();
            site.await("trouble", () -> !site.unseen.isEmpty());
            bed.cluster.delete(ManagementTestBed.path("machines", "deleted"));
            bed.wish("wished-for", "revision=7");
            bed.machine("new", "grey");
            bed.cluster.compact();
            bed.cluster.restart();
            faultyTcpProxy.mend();
            site.await(
                    "what it missed",
                    () -> site.inventory(site.machine("deleted")) == null
                            && site.intent(site.machine("wished-for")) != null
                            && ready(site, "new"));
            List<RowChange> written = site.takeWritten();
            assertThat(written.stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.gone(Table.INVENTORY, site.machine("deleted")));
            assertThat(written.stream().filter(UpgradeIntent.class::isInstance)).hasSize(1);
            assertThat(written.stream()
                            .filter(MachineRow.class::isInstance)
                            .map(row -> ((MachineRow) row).key().name()))
                    .contains("new")
                    .doesNotContain("untouched");
        }
    }

    @Test
    void whatItMayNotListAnyMoreIsNotGone() throws Exception {
        bed.cluster("dim");
        bed.machine("dim-gone", "dim");
        bed.machine("dim-stays", "dim");
        try (FaultyTcpProxy faultyTcpProxy = FaultyTcpProxy.to(bed.cluster.url());
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(),
                        "dim",
                        faultyTcpProxy.kubeconfig(bed.cluster.kubeconfig(ManagementTestBed.WATCHER), folder),
                        "default")) {
            site.watch("a");
            site.await("all with their nodes", () -> ready(site, "dim-gone", "dim-stays"));
            site.takeWritten();
            bed.unbind();
            faultyTcpProxy.cut();
            faultyTcpProxy.mend();
            site.await("a refusal", () -> refusals(site) > 0);
            bed.cluster.delete(ManagementTestBed.path("machines", "dim-gone"));
            // So often that it has tried to list as well.
            site.await("more of them", () -> refusals(site) > BROKEN_WATCHES + 1);
            assertThat(site.takeWritten()).isEmpty();
            bed.bind();
            site.await("what it missed", () -> site.inventory(site.machine("dim-gone")) == null);
            assertThat(site.takeWritten().stream().filter(Tombstone.class::isInstance))
                    .containsExactly(WatchedTestSite.gone(Table.INVENTORY, site.machine("dim-gone")));
        }
    }

    private static long refusals(WatchedTestSite site) {
        return site.unseen.stream()
                .filter(each -> each.startsWith("MACHINES") && each.contains("403"))
                .count();
    }

    private static boolean ready(WatchedTestSite site, String... machines) {
        return List.of(machines).stream()
                .allMatch(name -> site.inventory(site.machine(name)) instanceof MachineRow row && row.ready());
    }
}
