package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.row.CampaignStatus.Learned;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.row.UpgradeOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node that shows another revision than before, which no attempt of ours can have brought about: it has refreshed itself, or
 * somebody has. The watcher tells of a change after the worker does, and maybe long after the attempt has ended, so that what
 * an attempt may have led to is not reported.
 */
final class OutOfBand {
    private OutOfBand() {}

    /** What happened, for people; null where nothing did, or an attempt of ours may explain it. */
    static @Nullable String says(FleetState state, Machine known, MachineRow row) {
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

    private static boolean mayExplain(FleetState state, Machine machine, Entry entry, String revision) {
        if (entry.outcome() == Outcome.OPEN && entry.failedAttempts() == 0) {
            return false;
        }
        if (!(state.rollout(entry.driver()) instanceof CampaignRollout campaign)) {
            return true;
        }
        return switch (campaign.spec().target()) {
            case UpgradeOption.Revision target -> target.revision().equals(revision);
            case UpgradeOption.LocalPath path -> true;
            case UpgradeOption.Channel channel -> explains(campaign.status().learned(), machine, revision);
        };
    }

    private static boolean explains(List<Learned> learned, Machine machine, String revision) {
        for (Learned each : learned) {
            if (each.isOf(machine.site()) && each.architecture().equals(String.valueOf(machine.architecture()))) {
                return each.revision().equals(revision);
            }
        }
        // Nobody knows yet what the channel means.
        return true;
    }
}
