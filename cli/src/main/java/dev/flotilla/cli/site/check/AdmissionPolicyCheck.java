package dev.flotilla.cli.site.check;

import dev.flotilla.managementwatcher.mode.ProviderPresence;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import org.jspecify.annotations.Nullable;

/** Checks that the admission policy or the webhook hides upgrade annotations from the provider's controllers, if they run here. */
final class AdmissionPolicyCheck {
    private static final String CHECK = "admission policy";

    private AdmissionPolicyCheck() {}

    static CheckResult checkPolicy(SiteModeProbe.ProbeResult probeResult, @Nullable WatcherHeartbeat heartbeat) {
        return switch (probeResult) {
            case SiteModeProbe.ProbeResult.ProbeSucceeded probeSucceeded -> seen(probeSucceeded.presence(), heartbeat);
            case SiteModeProbe.ProbeResult.ProbeFailed probeFailed ->
                CheckResult.unknown(
                        CHECK,
                        probeFailed.reason() + ": use credentials that may list Deployments and Leases and get"
                                + " " + SiteModeProbe.POLICY
                                + ", such as an administrator's or the watcher's");
        };
    }

    private static CheckResult seen(ProviderPresence around, @Nullable WatcherHeartbeat heartbeat) {
        String there = "the provider's controllers run here (" + around.controllerEvidence() + ")";
        if (around.controllerEvidence() == null) {
            return CheckResult.ok(
                    CHECK,
                    "the provider's controllers do not run here, so " + SiteModeProbe.POLICY
                            + (around.hidesAnnotations() ? " is there but has no effect" : " is not needed"));
        }
        if (around.hidesAnnotations()) {
            return CheckResult.ok(
                    CHECK, there + ", and " + around.interceptor() + " hides upgrade annotations from them");
        }
        String seen = there + ", and neither policy nor webhook " + SiteModeProbe.POLICY
                + " hides annotations from them: the provider upgrades annotated objects other than Clusters without any"
                + " gate; run `kubectl apply -f " + around.manifest() + "`"
                + (around.policiesServed() ? "" : " once the watcher answers webhooks (docs/annotations.md)");
        return isMeant(heartbeat)
                ? CheckResult.differs(CHECK, seen + ", unless kubernetes.mode cluster-only is intended")
                : CheckResult.failed(CHECK, seen);
    }

    /**
     * Whether the mode was configured: a watcher that detected the mode reports a mode conflict, one that was
     * configured does not.
     */
    private static boolean isMeant(@Nullable WatcherHeartbeat heartbeat) {
        return heartbeat != null && heartbeat.mode() == SiteMode.CLUSTER_ONLY && heartbeat.modeConflict() == null;
    }
}
