package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import org.jspecify.annotations.Nullable;

/** Decides when a quarantine is lifted: by a later retry order of its own campaign. */
public final class QuarantineLiftRule {
    private QuarantineLiftRule() {}

    /**
     * Whether a campaign's last retry order came after the quarantine of its entry. Entries of earlier versions do not
     * record when that was; the failed attempt came before it.
     */
    public static boolean isLifted(CampaignStatus campaign, MachineStatus machine, RolloutEntry entry) {
        AttemptFailure failure = machine.lastFailure();
        long since = entry.quarantineSeq() != null ? entry.quarantineSeq() : failure == null ? 0 : failure.attemptId();
        return entry.outcome() == MachineOutcome.QUARANTINED && since < campaign.retriedBeforeSeq();
    }

    public static boolean isLifted(CampaignRollout campaign, @Nullable MachineStatus machine) {
        RolloutRef rolloutRef = campaign.rolloutRef();
        if (machine != null) {
            for (RolloutEntry entry : machine.entries()) {
                if (entry.rolloutRef().equals(rolloutRef)) {
                    return isLifted(campaign.status(), machine, entry);
                }
            }
        }
        return false;
    }
}
