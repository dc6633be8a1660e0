package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects a node whose revision changed without an attempt of ours: it refreshed itself, or somebody refreshed it. The
 * watcher reports a change later than the worker, possibly long after the attempt ended, so a revision that an attempt
 * may have caused is not reported.
 */
final class OutOfBandRefreshDetector {
    private OutOfBandRefreshDetector() {}

    /** Describes the change; null if there is none, or an attempt may explain it. */
    static @Nullable String describeOutOfBandRefresh(FleetState state, MachineView known, MachineRow row) {
        String before = known.revision();
        String now = row.revision();
        if (before == null
                || now == null
                || before.equals(now)
                || !known.isUid(row.uid())
                || known.attempt() != null
                || known.entries().stream().anyMatch(entry -> mayExplain(state, known, entry, now))) {
            return null;
        }
        return "revision changed from " + before + " to " + now + " without an attempt";
    }

    private static boolean mayExplain(FleetState state, MachineView machine, RolloutEntry entry, String revision) {
        if (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() == 0) {
            return false;
        }
        if (!(state.rollout(entry.rolloutRef()) instanceof CampaignRollout campaign)) {
            return true;
        }
        return switch (campaign.spec().target().option()) {
            case UpgradeTarget.Revision target -> target.revision().equals(revision);
            case UpgradeTarget.LocalPath path -> true;
            case UpgradeTarget.Channel channel -> explains(campaign.status().resolvedTargets(), machine, revision);
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
