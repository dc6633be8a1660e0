package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.schemas.row.CampaignStatus.ResolvedTarget;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node that shows another revision than before, which no attempt of ours can have brought about: it has refreshed itself, or
 * somebody has. The watcher tells of a change after the worker does, and maybe long after the attempt has ended, so that what
 * an attempt may have led to is not reported.
 */
final class OutOfBandRefreshDetector {
    private OutOfBandRefreshDetector() {}

    /** What happened, for people; null where nothing did, or an attempt of ours may explain it. */
    static @Nullable String describe(FleetState state, MachineView known, MachineRow row) {
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
        return "revision " + before + " has become " + now + " without an attempt";
    }

    private static boolean mayExplain(FleetState state, MachineView machine, RolloutEntry entry, String revision) {
        if (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() == 0) {
            return false;
        }
        if (!(state.rollout(entry.rolloutRef()) instanceof CampaignRollout campaign)) {
            return true;
        }
        return switch (campaign.spec().target()) {
            case UpgradeTarget.Revision target -> target.revision().equals(revision);
            case UpgradeTarget.LocalPath path -> true;
            case UpgradeTarget.Channel channel -> explains(campaign.status().resolvedTargets(), machine, revision);
        };
    }

    private static boolean explains(List<ResolvedTarget> learned, MachineView machine, String revision) {
        for (ResolvedTarget each : learned) {
            if (each.appliesTo(machine.site()) && each.architecture().equals(String.valueOf(machine.architecture()))) {
                return each.revision().equals(revision);
            }
        }
        // Nobody knows yet what the channel means.
        return true;
    }
}
