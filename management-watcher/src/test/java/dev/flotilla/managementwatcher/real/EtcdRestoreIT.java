package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The store of a management cluster is restored from a backup, so that its versions decrease. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class EtcdRestoreIT {
    /** Number of lost writes: so many that the store does not reach the old versions during the test. */
    private static final int LOST = 300;

    private LocalKafka kafka;
    private ManagementTestBed bed;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        kafka = LocalKafka.start();
        bed = ManagementTestBed.start();
    }

    @AfterEach
    void stop() {
        bed.close();
        kafka.close();
    }

    @Test
    void rowsAndIntentsBecomeWhatTheRestoredStoreHas() throws Exception {
        bed.cluster("blue");
        for (String name : List.of("plain", "annotated", "deleted")) {
            bed.applyMachine(name, "blue");
        }
        bed.setUpgradeTo("annotated", "revision=9");
        Path backup = folder.resolve("backup");
        bed.cluster.backUp(backup);
        try (WatchedTestSite site = new WatchedTestSite(
                kafka.bootstrap(), "restored", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default")) {
            site.startWatcher("a");
            site.await("all", () -> site.countMachines() == 3 && intentTarget(site, "annotated") != null);
            bed.setUpgradeTo("annotated", null);
            bed.setUpgradeTo("plain", "revision=7");
            bed.cluster.delete(ManagementTestBed.path("machines", "deleted"));
            bed.applyMachine("made", "blue");
            for (int i = 0; i < LOST; i++) {
                bed.annotate("machines", "plain", "example.org/lost", "write-" + i);
            }
            site.await(
                    "the changes that are lost later",
                    () -> intentTarget(site, "annotated") == null
                            && "revision=7".equals(intentTarget(site, "plain"))
                            && site.readInventory(site.machine("deleted")) == null
                            && site.readInventory(site.machine("made")) != null);

            bed.cluster.restore(backup);
            site.await(
                    "the restored state",
                    () -> "revision=9".equals(intentTarget(site, "annotated"))
                            && intentTarget(site, "plain") == null
                            && site.readInventory(site.machine("deleted")) != null
                            && site.readInventory(site.machine("made")) == null);
            assertThat(site.restoredKinds).contains(WatchedKind.MACHINES);

            bed.setUpgradeTo("plain", "revision=8");
            site.await("the next change", () -> "revision=8".equals(intentTarget(site, "plain")));
        }
    }

    private static @Nullable String intentTarget(WatchedTestSite site, String machine) {
        return site.readIntent(site.machine(machine)) instanceof UpgradeIntent intent
                ? intent.target().text()
                : null;
    }
}
