package dev.flotilla.managementwatcher.mode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.managementwatcher.stub.ManagementBed;
import dev.flotilla.testkit.kube.KubeBinaries;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** On a real API server, under exactly the role of {@code deploy/}. */
@EnabledIf(value = KubeBinaries.PRESENT, disabledReason = KubeBinaries.MISSING)
class ModeProbeIT {
    private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

    @Test
    void seesWhoIsThereAndWhatKeepsThemOff() throws Exception {
        try (ManagementBed bed = ManagementBed.start();
                KubeApiClient watcher = ManagementBed.as(bed.cluster.kubeconfig(ManagementBed.WATCHER));
                KubeApiClient anybody = ManagementBed.as(bed.cluster.kubeconfig("anybody"))) {
            ModeProbe probe = new ModeProbe(watcher, InstantSource.fixed(NOW));
            assertThat(probe.look()).isEqualTo(seen(null, false));
            bed.lease("6b2b21b1.k8s.io", "2026-07-01T11:00:00.000000Z");
            assertThat(probe.look()).as("a lease that outlived its manager").isEqualTo(seen(null, false));
            bed.lease("148fa072.controlplane.cluster.x-k8s.io", "2026-07-01T11:59:58.000000Z");
            String lease = "Lease default/148fa072.controlplane.cluster.x-k8s.io";
            assertThat(probe.look()).isEqualTo(seen(lease, false));
            bed.controllers("capi-system", "cluster-api");
            assertThat(probe.look()).as("another provider's Deployment").isEqualTo(seen(lease, false));
            bed.controllers("cabpck-system", "bootstrap-ck8s");
            String deployment = "Deployment cabpck-system/controller-manager";
            assertThat(probe.look()).isEqualTo(seen(deployment, false));
            bed.policyAlone();
            assertThat(probe.look()).as("a policy without a binding").isEqualTo(seen(deployment, false));
            bed.intercept();
            assertThat(probe.look()).isEqualTo(seen(deployment, true));

            assertThat(new ModeProbe(anybody, InstantSource.fixed(NOW)).look())
                    .isInstanceOfSatisfying(
                            ModeProbe.Look.Unseen.class,
                            unseen -> assertThat(unseen.why()).contains("Deployments", "403"));
        }
    }

    private static ModeProbe.Look seen(@Nullable String controllers, boolean bound) {
        return new ModeProbe.Look.Seen(new Surroundings(controllers, true, bound));
    }
}
