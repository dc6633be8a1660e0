package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects a node whose revision, or with another provider than k8sd the kubelet's version, changed without an attempt of
 * ours: it refreshed itself, or somebody upgraded it. The watcher reports a change later than the worker, possibly long
 * after the attempt ended, so a change that an attempt may have caused is not reported.
 */
final class OutOfBandRefreshDetector {
    private OutOfBandRefreshDetector() {}

    /** Describes the change; null if there is none, or an attempt may explain it. */
    static @Nullable String describeOutOfBandRefresh(FleetState state, MachineView known, MachineRow row) {
        boolean hasRevisions = known.provider() == UpgradeProvider.K8SD;
        String before = hasRevisions ? known.revision() : known.kubeletVersion();
        String now = hasRevisions ? row.revision() : row.kubeletVersion();
        if (before == null
                || now == null
                || before.equals(now)
                || !known.isUid(row.uid())
                || known.attempt() != null
                || known.entries().stream().anyMatch(entry -> mayExplain(state, known, entry, now))) {
            return null;
        }
        return (hasRevisions ? "revision" : "version") + " changed from " + before + " to " + now
                + " without an attempt";
    }

    /** Whether an attempt of an entry may have led to a revision or a version. */
    private static boolean mayExplain(FleetState state, MachineView machine, RolloutEntry entry, String shown) {
        if (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() == 0) {
            return false;
        }
        if (!(state.rollout(entry.rolloutRef()) instanceof CampaignRollout campaign)) {
            return true;
        }
        return switch (campaign.spec().target().option()) {
            case UpgradeTarget.Revision target -> target.revision().equals(shown);
            case UpgradeTarget.KubernetesRelease release -> release.version().equals(shown);
            case UpgradeTarget.LocalPath path -> true;
            case UpgradeTarget.MachineSpecHash hash -> true;
            case UpgradeTarget.Channel channel -> explains(campaign.status().resolvedTargets(), machine, shown);
        };
    }

    private static boolean explains(List<ResolvedTarget> resolvedTargets, MachineView machine, String revision) {
        for (ResolvedTarget resolved : resolvedTargets) {
            if (resolved.appliesTo(machine.site())
                    && resolved.architecture().equals(String.valueOf(machine.architecture()))) {
                return resolved.revision().equals(revision);
            }
        }
        // The channel is not resolved yet.
        return true;
    }
}
