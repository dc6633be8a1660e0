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

/** The store of a management cluster is restored from a backup, and its versions go back. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class EtcdRestoreIT {
    /** So many writes are lost that the store does not catch up during the test. */
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
        for (String name : List.of("plain", "wished-for", "deleted")) {
            bed.machine(name, "blue");
        }
        bed.wish("wished-for", "revision=9");
        Path backup = folder.resolve("backup");
        bed.cluster.backUp(backup);
        try (WatchedTestSite site = new WatchedTestSite(
                kafka.bootstrap(), "restored", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default")) {
            site.watch("a");
            site.await("all", () -> site.machines() == 3 && option(site, "wished-for") != null);
            bed.wish("wished-for", null);
            bed.wish("plain", "revision=7");
            bed.cluster.delete(ManagementTestBed.path("machines", "deleted"));
            bed.machine("made", "blue");
            for (int i = 0; i < LOST; i++) {
                bed.annotate("machines", "plain", "example.org/lost", "write-" + i);
            }
            site.await(
                    "what is lost later",
                    () -> option(site, "wished-for") == null
                            && "revision=7".equals(option(site, "plain"))
                            && site.inventory(site.machine("deleted")) == null
                            && site.inventory(site.machine("made")) != null);

            bed.cluster.restore(backup);
            site.await(
                    "what was restored",
                    () -> "revision=9".equals(option(site, "wished-for"))
                            && option(site, "plain") == null
                            && site.inventory(site.machine("deleted")) != null
                            && site.inventory(site.machine("made")) == null);
            assertThat(site.setBack).contains(WatchedKind.MACHINES);

            bed.wish("plain", "revision=8");
            site.await("what is written then", () -> "revision=8".equals(option(site, "plain")));
        }
    }

    private static @Nullable String option(WatchedTestSite site, String machine) {
        return site.intent(site.machine(machine)) instanceof UpgradeIntent intent
                ? intent.target().text()
                : null;
    }
}
