package dev.flotilla.managementwatcher.mode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.managementwatcher.stub.ManagementTestBed;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** On a real API server, under exactly the role of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteModeProbeIT {
    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

    @Test
    void seesWhoIsThereAndWhatKeepsThemOff() throws Exception {
        try (ManagementTestBed bed = ManagementTestBed.start();
                KubeApiClient watcher = ManagementTestBed.as(bed.cluster.kubeconfig(ManagementTestBed.WATCHER));
                KubeApiClient anybody = ManagementTestBed.as(bed.cluster.kubeconfig("anybody"))) {
            SiteModeProbe probe = new SiteModeProbe(watcher, InstantSource.fixed(NOW));
            assertThat(probe.probeProvider()).isEqualTo(seen(null, false));
            bed.lease("6b2b21b1.k8s.io", "2026-07-01T11:00:00.000000Z");
            assertThat(probe.probeProvider())
                    .as("a lease that outlived its manager")
                    .isEqualTo(seen(null, false));
            bed.lease("148fa072.controlplane.cluster.x-k8s.io", "2026-07-01T11:59:58.000000Z");
            String lease = "Lease default/148fa072.controlplane.cluster.x-k8s.io";
            assertThat(probe.probeProvider()).isEqualTo(seen(lease, false));
            bed.controllers("capi-system", "cluster-api");
            assertThat(probe.probeProvider())
                    .as("another provider's Deployment")
                    .isEqualTo(seen(lease, false));
            bed.controllers("cabpck-system", "bootstrap-ck8s");
            String deployment = "Deployment cabpck-system/controller-manager";
            assertThat(probe.probeProvider()).isEqualTo(seen(deployment, false));
            bed.policyAlone();
            assertThat(probe.probeProvider()).as("a policy without a binding").isEqualTo(seen(deployment, false));
            bed.intercept();
            assertThat(probe.probeProvider()).isEqualTo(seen(deployment, true));

            assertThat(new SiteModeProbe(anybody, InstantSource.fixed(NOW)).probeProvider())
                    .isInstanceOfSatisfying(
                            SiteModeProbe.ProbeResult.ProbeFailed.class,
                            probeFailed -> assertThat(probeFailed.reason()).contains("Deployments", "403"));
        }
    }

    private static SiteModeProbe.ProbeResult seen(@Nullable String controllers, boolean bound) {
        return new SiteModeProbe.ProbeResult.ProbeSucceeded(new ProviderPresence(controllers, true, bound));
    }
}
