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

/** The probe on a real API server, with exactly the role of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class SiteModeProbeIT {
    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

    @Test
    void findsControllersAndPolicy() throws Exception {
        try (ManagementTestBed bed = ManagementTestBed.start();
                KubeApiClient watcher =
                        ManagementTestBed.openClient(bed.cluster.kubeconfig(ManagementTestBed.WATCHER));
                KubeApiClient unprivileged = ManagementTestBed.openClient(bed.cluster.kubeconfig("anybody"))) {
            SiteModeProbe probe = new SiteModeProbe(watcher, InstantSource.fixed(NOW));
            assertThat(probe.probeProvider()).isEqualTo(probeSucceeded(null, false));
            bed.applyLease("6b2b21b1.k8s.io", "2026-07-01T11:00:00.000000Z");
            assertThat(probe.probeProvider())
                    .as("a lease that outlived its manager")
                    .isEqualTo(probeSucceeded(null, false));
            bed.applyLease("148fa072.controlplane.cluster.x-k8s.io", "2026-07-01T11:59:58.000000Z");
            String lease = "Lease default/148fa072.controlplane.cluster.x-k8s.io";
            assertThat(probe.probeProvider()).isEqualTo(probeSucceeded(lease, false));
            bed.applyProviderManager("capi-system", "cluster-api");
            assertThat(probe.probeProvider())
                    .as("another provider's Deployment")
                    .isEqualTo(probeSucceeded(lease, false));
            bed.applyProviderManager("cabpck-system", "bootstrap-ck8s");
            String deployment = "Deployment cabpck-system/controller-manager";
            assertThat(probe.probeProvider()).isEqualTo(probeSucceeded(deployment, false));
            bed.applyPolicyWithoutBinding();
            assertThat(probe.probeProvider())
                    .as("a policy without a binding")
                    .isEqualTo(probeSucceeded(deployment, false));
            bed.applyInterceptPolicy();
            assertThat(probe.probeProvider()).isEqualTo(probeSucceeded(deployment, true));
            bed.applyInterceptWebhook("https://127.0.0.1:1", "");
            assertThat(probe.probeProvider())
                    .isEqualTo(new SiteModeProbe.ProbeResult.ProbeSucceeded(
                            new ProviderPresence(deployment, true, true, true)));

            assertThat(new SiteModeProbe(unprivileged, InstantSource.fixed(NOW)).probeProvider())
                    .isInstanceOfSatisfying(
                            SiteModeProbe.ProbeResult.ProbeFailed.class,
                            probeFailed -> assertThat(probeFailed.reason()).contains("Deployments", "403"));
        }
    }

    private static SiteModeProbe.ProbeResult probeSucceeded(@Nullable String controllers, boolean bound) {
        return new SiteModeProbe.ProbeResult.ProbeSucceeded(new ProviderPresence(controllers, true, bound, false));
    }
}
