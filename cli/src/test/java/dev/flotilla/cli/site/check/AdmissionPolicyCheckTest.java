package dev.flotilla.cli.site.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.managementwatcher.mode.ProviderPresence;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdmissionPolicyCheckTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // Evidence of controllers, policies served, policy bound, the site's mode, its mode conflict.
                "- | false | false | - | - | ok       admission policy | is not needed",
                "- | true | true | - | - | ok       admission policy | has no effect",
                "Lease a/b | true | true | INTERCEPT | - | ok       admission policy | hides upgrade annotations from"
                        + " them",
                "Lease a/b | true | false | - | - | FAILED   admission policy | `kubectl apply -f deploy/management-watcher/intercept.yaml`",
                "Lease a/b | true | false | CLUSTER_ONLY | apply it | FAILED   admission policy | (Lease a/b)",
                "Lease a/b | true | false | CLUSTER_ONLY | - | differs  admission policy | unless kubernetes.mode"
                        + " cluster-only is intended",
                "Lease a/b | false | false | CLUSTER_ONLY | - | differs  admission policy | Kubernetes 1.36 or newer",
            })
    void requiresThePolicyOnlyIfTheProvidersControllersRun(
            @Nullable String controllers,
            boolean served,
            boolean bound,
            @Nullable SiteMode mode,
            @Nullable String doubt,
            String begins,
            String says) {
        WatcherHeartbeat heartbeat =
                new WatcherHeartbeat(new SiteId("east"), "uid", "w", Instant.EPOCH, 0, mode, doubt, null);
        SiteModeProbe.ProbeResult probeResult =
                new SiteModeProbe.ProbeResult.ProbeSucceeded(new ProviderPresence(controllers, served, bound));

        assertThat(AdmissionPolicyCheck.checkPolicy(probeResult, heartbeat).line())
                .startsWith(begins)
                .contains(says);
    }

    @Test
    void isUnknownWithoutPermission() {
        assertThat(AdmissionPolicyCheck.checkPolicy(
                                new SiteModeProbe.ProbeResult.ProbeFailed("Deployments: 403 no"), null)
                        .line())
                .startsWith("unknown  admission policy: Deployments: 403 no: use credentials that may");
    }
}
