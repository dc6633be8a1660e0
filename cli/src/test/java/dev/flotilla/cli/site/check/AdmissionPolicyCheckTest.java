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
                // Evidence of controllers, policies served, what of ours is there, the site's mode, its mode conflict.
                "- | false | - | - | - | ok       admission policy | is not needed",
                "- | true | policy | - | - | ok       admission policy | has no effect",
                "Lease a/b | true | policy | INTERCEPT | - | ok       admission policy | the policy flotilla-intercept hides",
                "Lease a/b | false | webhook | INTERCEPT | - | ok       admission policy | the webhook flotilla-intercept hides",
                "Lease a/b | true | - | - | - | FAILED   admission policy | run `kubectl apply -f deploy/management-watcher/intercept.yaml`",
                "Lease a/b | false | - | - | - | FAILED   admission policy | intercept-webhook.yaml` once the watcher answers webhooks",
                "Lease a/b | true | - | CLUSTER_ONLY | apply it | FAILED   admission policy | (Lease a/b)",
                "Lease a/b | true | - | CLUSTER_ONLY | - | differs  admission policy | unless kubernetes.mode"
                        + " cluster-only is intended",
            })
    void requiresThePolicyOnlyIfTheProvidersControllersRun(
            @Nullable String controllers,
            boolean served,
            @Nullable String ours,
            @Nullable SiteMode mode,
            @Nullable String doubt,
            String begins,
            String says) {
        WatcherHeartbeat heartbeat =
                new WatcherHeartbeat(new SiteId("east"), "uid", "w", Instant.EPOCH, 0, mode, doubt, null);
        SiteModeProbe.ProbeResult probeResult = new SiteModeProbe.ProbeResult.ProbeSucceeded(
                new ProviderPresence(controllers, served, "policy".equals(ours), "webhook".equals(ours)));

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
