package dev.flotilla.managementwatcher.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.mode.SiteModeSetting;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.managementwatcher.stub.WatchedTestSite;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.ForeignActivity;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** A watcher without a set mode, while the provider's controllers and then the policy are deployed to its site. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteModeChangeIT {
    @Test
    void modeIsDetectedAppliedAndReported() throws Exception {
        try (LocalKafka kafka = LocalKafka.start();
                ManagementTestBed bed = ManagementTestBed.start();
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(), "auto", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default")) {
            bed.cluster("blue");
            bed.applyMachine("w-0", "blue");
            bed.applyMachine("w-1", "blue");
            MachineKey first = site.machine("w-0");
            MachineKey second = site.machine("w-1");
            site.withMode(SiteModeSetting.AUTO).startWatcher("a");
            bed.setUpgradeTo("w-0", "revision=7");
            site.await("the intent in mode direct", () -> site.readIntent(first) != null);
            assertThat(readMode(site)).isEqualTo(SiteMode.DIRECT);

            bed.applyProviderManager("cacpck-system", "control-plane-ck8s");
            site.await("cluster-only", () -> readMode(site) == SiteMode.CLUSTER_ONLY);
            site.await("that the provider's annotation is ignored", () -> site.readIntent(first) == null);
            site.await("a foreign machine", () -> isForeign(site, first));
            assertThat(requireHeartbeat(site).modeConflict()).contains("intercept.yaml");
            bed.annotate("clusters", "blue", ManagementTestBed.KEYS + "to", "revision=7");
            bed.annotate("machines", "w-1", "flotilla.dev/upgrade-to", "revision=8");
            site.await("a Cluster's intent", () -> site.readIntent(site.cluster("blue")) != null);
            site.await("the intent of our own annotation", () -> site.readIntent(second) != null);

            bed.applyInterceptPolicy();
            site.await("intercept", () -> readMode(site) == SiteMode.INTERCEPT);
            assertThat(requireHeartbeat(site).modeConflict()).isNull();
            bed.setUpgradeTo("w-1", "revision=9");
            site.await(
                    "the renamed annotation",
                    () -> String.valueOf(site.readIntent(second)).contains("revision=9"));
            assertThat(isForeign(site, second)).isFalse();
            assertThat(isForeign(site, first)).isTrue();
            assertThat(site.modes).containsSubsequence(SiteMode.DIRECT, SiteMode.CLUSTER_ONLY, SiteMode.INTERCEPT);
        }
    }

    private static WatcherHeartbeat requireHeartbeat(WatchedTestSite site) {
        return Objects.requireNonNull(site.readHeartbeat());
    }

    private static @Nullable SiteMode readMode(WatchedTestSite site) {
        WatcherHeartbeat beat = site.readHeartbeat();
        return beat == null ? null : beat.mode();
    }

    private static boolean isForeign(WatchedTestSite site, MachineKey machine) {
        return site.readInventory(machine) instanceof MachineRow row
                && row.foreignActivities().contains(ForeignActivity.FOREIGN);
    }
}
