package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.CampaignStatus;
import dev.flotilla.auditor.wire.MachineRow;
import dev.flotilla.auditor.wire.MachineStatus;
import dev.flotilla.auditor.wire.RolloutEntry;
import dev.flotilla.auditor.wire.RolloutRef;
import dev.flotilla.auditor.wire.UpgradeAttempt;
import dev.flotilla.auditor.wire.UpgradeIntent;
import dev.flotilla.auditor.wire.UpgradeProvider;

/**
 * Invariant 7: what may have called is awaited. Only a NodeUpgrade can be aborted, and only once nobody requests it any
 * more or its machine is being deleted: a pause or a freeze aborts nothing.
 */
final class CancellationRules {
    private final FleetTables fleetTables;
    private final AuditFindings auditFindings;

    CancellationRules(FleetTables fleetTables, AuditFindings auditFindings) {
        this.fleetTables = fleetTables;
        this.auditFindings = auditFindings;
    }

    /**
     * Checks a cancellation on the rows before it.
     *
     * @param status the machine's status with the cancelled attempt
     * @param previous the attempt before
     */
    void check(MachineStatus status, UpgradeAttempt previous) {
        if (!previous.mayHaveCalled()) {
            return;
        }
        String what = status.id() + " attempt " + previous.id();
        auditFindings.require(
                previous.provider() == UpgradeProvider.NODE_UPGRADE,
                AuditInvariant.STOP,
                what + " is cancelled although it may have called, and its provider cannot abort");
        auditFindings.require(
                !isRequested(status, previous) || isBeingDeleted(status),
                AuditInvariant.STOP,
                what + " is cancelled although it may have called and " + previous.rollout()
                        + " still requests it: a pause or a freeze awaits its end");
    }

    private boolean isBeingDeleted(MachineStatus status) {
        MachineRow machine = fleetTables.machine(status.id());
        return machine != null && machine.deleting() && machine.uid().equals(status.uid());
    }

    private boolean isRequested(MachineStatus status, UpgradeAttempt attempt) {
        RolloutEntry rolloutEntry = status.entry(attempt.rollout());
        if (rolloutEntry != null && rolloutEntry.isSkipped()) {
            return false;
        }
        return switch (attempt.rollout()) {
            case RolloutRef.CampaignRef campaignRef -> {
                CampaignStatus campaign = fleetTables.campaign(campaignRef);
                yield campaign != null && !campaign.isOver();
            }
            case RolloutRef.IntentRef intentRef -> {
                UpgradeIntent intent = fleetTables.intent(intentRef.site() + " " + intentRef.object());
                yield intent != null && intent.target().equals(attempt.target());
            }
        };
    }
}
