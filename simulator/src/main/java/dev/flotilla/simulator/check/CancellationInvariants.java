package dev.flotilla.simulator.check;

import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeProvider;

/**
 * Checks that what may have called is awaited: only a NodeUpgrade can be aborted, and only once nobody requests it any
 * more or its machine is being deleted.
 */
final class CancellationInvariants {
    private final ReferenceFleetState rows;
    private final ViolationLog violationLog;

    CancellationInvariants(ReferenceFleetState rows, ViolationLog violationLog) {
        this.rows = rows;
        this.violationLog = violationLog;
    }

    /** Checks a decided status row on the rows before it. */
    void check(MachineStatus before, MachineStatus after) {
        UpgradeAttempt known = before.attempt();
        UpgradeAttempt attempt = after.attempt();
        if (known == null
                || attempt == null
                || attempt.id() != known.id()
                || !attempt.cancelled()
                || known.cancelled()
                || !known.mayHaveCalled()) {
            return;
        }
        violationLog.require(
                known.provider() == UpgradeProvider.NODE_UPGRADE,
                Invariant.ABORT,
                before.key() + " attempt " + known.id() + " may have called and is cancelled, but cannot be aborted");
        violationLog.require(
                !isRequested(after, known) || isBeingDeleted(after),
                Invariant.ABORT,
                before.key() + " attempt " + known.id() + " is aborted although " + known.rolloutRef()
                        + " still requests it");
    }

    private boolean isBeingDeleted(MachineStatus status) {
        MachineRow machine = rows.machine(status.key());
        return machine != null && machine.deleting() && machine.uid().equals(status.uid());
    }

    private boolean isRequested(MachineStatus status, UpgradeAttempt attempt) {
        RolloutEntry entry = ReferenceFleetState.entry(status, attempt.rolloutRef());
        if (entry != null && entry.outcome() == MachineOutcome.SKIPPED) {
            return false;
        }
        return switch (attempt.rolloutRef()) {
            case RolloutRef.CampaignRef campaignRef -> {
                CampaignStatus campaign = rows.campaign(campaignRef);
                yield campaign != null && !campaign.state().isOver();
            }
            case RolloutRef.IntentRef intentRef -> {
                UpgradeIntent intent = rows.intent(intentRef.object());
                yield intent != null && intent.target().equals(attempt.target());
            }
        };
    }
}
