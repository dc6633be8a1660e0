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

/** A watcher that is told nothing, while the provider's controllers come to a site and are kept from people's keys. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteModeChangeIT {
    @Test
    void theModeIsFoundOutAndFollowedAndTold() throws Exception {
        try (LocalKafka kafka = LocalKafka.start();
                ManagementTestBed bed = ManagementTestBed.start();
                WatchedTestSite site = new WatchedTestSite(
                        kafka.bootstrap(), "auto", bed.cluster.kubeconfig(ManagementTestBed.WATCHER), "default")) {
            bed.cluster("blue");
            bed.machine("w-0", "blue");
            bed.machine("w-1", "blue");
            MachineKey first = site.machine("w-0");
            MachineKey second = site.machine("w-1");
            site.in(SiteModeSetting.AUTO).watch("a");
            bed.wish("w-0", "revision=7");
            site.await("the wish in direct", () -> site.intent(first) != null);
            assertThat(mode(site)).isEqualTo(SiteMode.DIRECT);

            bed.controllers("cacpck-system", "control-plane-ck8s");
            site.await("cluster-only", () -> mode(site) == SiteMode.CLUSTER_ONLY);
            site.await("nobody to follow what is the provider's", () -> site.intent(first) == null);
            site.await("a foreign machine", () -> isForeign(site, first));
            assertThat(heartbeat(site).modeConflict()).contains("intercept.yaml");
            bed.annotate("clusters", "blue", ManagementTestBed.KEYS + "to", "revision=7");
            bed.annotate("machines", "w-1", "flotilla.dev/upgrade-to", "revision=8");
            site.await("a Cluster's", () -> site.intent(site.cluster("blue")) != null);
            site.await("our own key", () -> site.intent(second) != null);

            bed.intercept();
            site.await("intercept", () -> mode(site) == SiteMode.INTERCEPT);
            assertThat(heartbeat(site).modeConflict()).isNull();
            bed.wish("w-1", "revision=9");
            site.await(
                    "the renamed key", () -> String.valueOf(site.intent(second)).contains("revision=9"));
            assertThat(isForeign(site, second)).isFalse();
            assertThat(isForeign(site, first)).isTrue();
            assertThat(site.modes)
                    .extracting(found -> found.mode())
                    .containsSubsequence(SiteMode.DIRECT, SiteMode.CLUSTER_ONLY, SiteMode.INTERCEPT);
        }
    }

    private static WatcherHeartbeat heartbeat(WatchedTestSite site) {
        return Objects.requireNonNull(site.heartbeat());
    }

    private static @Nullable SiteMode mode(WatchedTestSite site) {
        WatcherHeartbeat beat = site.heartbeat();
        return beat == null ? null : beat.mode();
    }

    private static boolean isForeign(WatchedTestSite site, MachineKey machine) {
        return site.inventory(machine) instanceof MachineRow row
                && row.foreignActivities().contains(ForeignActivity.FOREIGN);
    }
}
