package dev.flotilla.cli.site.check;

import dev.flotilla.managementwatcher.mode.ProviderPresence;
import dev.flotilla.managementwatcher.mode.SiteModeProbe;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import org.jspecify.annotations.Nullable;

/** Whether people's keys are kept from the provider's controllers, where these are there. */
final class AdmissionPolicyCheck {
    private static final String CHECK = "admission policy";

    private AdmissionPolicyCheck() {}

    static CheckResult checkPolicy(SiteModeProbe.ProbeResult probeResult, @Nullable WatcherHeartbeat heartbeat) {
        return switch (probeResult) {
            case SiteModeProbe.ProbeResult.ProbeSucceeded probeSucceeded -> seen(probeSucceeded.presence(), heartbeat);
            case SiteModeProbe.ProbeResult.ProbeFailed probeFailed ->
                CheckResult.unknown(
                        CHECK,
                        probeFailed.reason() + ": ask as one who may list Deployments and Leases and get "
                                + SiteModeProbe.POLICY + ", as an administrator or the watcher may");
        };
    }

    private static CheckResult seen(ProviderPresence around, @Nullable WatcherHeartbeat heartbeat) {
        String there = "the provider's controllers are here (" + around.controllerEvidence() + ")";
        if (around.controllerEvidence() == null) {
            return CheckResult.ok(
                    CHECK,
                    "no controllers of the provider are here: " + SiteModeProbe.POLICY
                            + (around.policyBound() ? " is bound and has nothing to do" : " is not needed"));
        }
        if (around.policyBound()) {
            return CheckResult.ok(CHECK, there + ", and " + SiteModeProbe.POLICY + " keeps people's keys from them");
        }
        if (!around.policiesServed()) {
            return CheckResult.differs(
                    CHECK,
                    there
                            + ", and this API server serves no MutatingAdmissionPolicy v1, as those from 1.36 on do: what is"
                            + " annotated on anything but Clusters is theirs; ask by campaigns or by flotilla.dev/upgrade-to");
        }
        String unbound =
                there + ", and the policy " + SiteModeProbe.POLICY + " or its binding is not: what is annotated on"
                        + " anything but Clusters is upgraded past all gates: `kubectl apply -f"
                        + " deploy/management-watcher/intercept.yaml`";
        return isMeant(heartbeat)
                ? CheckResult.differs(CHECK, unbound + ", unless kubernetes.mode cluster-only is meant")
                : CheckResult.failed(CHECK, unbound);
    }

    /** A watcher that finds this mode out by itself has its doubts about it; one that was told has none. */
    private static boolean isMeant(@Nullable WatcherHeartbeat heartbeat) {
        return heartbeat != null && heartbeat.mode() == SiteMode.CLUSTER_ONLY && heartbeat.modeConflict() == null;
    }
}
