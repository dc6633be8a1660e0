package dev.flotilla.core.campaign;

import dev.flotilla.core.attempt.MachineStatusWriter;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.fleet.DueWorkQueue;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.QuarantineLiftRule;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.SiteStatus;

/**
 * Decides what must be written besides starts: quarantined machines that are retried, the status of owners' and
 * clusters' intents, and the status of sites.
 */
public final class RetryAndIntentStatusDecider {
    private RetryAndIntentStatusDecider() {}

    public static Decision decideNext(DecisionBuilder draft) {
        DueWorkQueue dueWork = draft.state().dueWork();
        MachineView machine = dueWork.nextRetriableMachine();
        if (machine != null) {
            return DecisionFailedException.runFor(machine.key(), () -> requeueMachine(draft, machine));
        }
        MachineView forgettable = dueWork.nextForgettableMachine();
        if (forgettable != null) {
            return DecisionFailedException.runFor(forgettable.key(), () -> deleteStatus(draft, forgettable));
        }
        ObjectKey object = dueWork.nextStaleIntentStatus();
        if (object != null) {
            return DecisionFailedException.runFor(object, () -> writeIntentStatus(draft, object));
        }
        SiteStatus site = dueWork.nextStaleSiteStatus();
        return site == null
                ? Decision.NOTHING
                : DecisionFailedException.runFor(site.site(), () -> writeSiteStatus(draft, site));
    }

    private static Decision deleteStatus(DecisionBuilder draft, MachineView machine) {
        return draft.remove(Table.STATUS, machine.key())
                .build(DecisionEvent.INVENTORY_CHANGED, machine.key(), "deleted, and its history is no longer needed");
    }

    private static Decision writeSiteStatus(DecisionBuilder draft, SiteStatus status) {
        return draft.write(status)
                .build(
                        DecisionEvent.SITE_STATUS_CHANGED,
                        status.site(),
                        status.blockedReason() == null ? "" : "waits at " + status.blockedReason());
    }

    private static Decision requeueMachine(DecisionBuilder draft, MachineView machine) {
        MachineStatus status = machine.status();
        if (status == null) {
            throw new IllegalStateException(machine.key() + " is quarantined without a status row");
        }
        for (RolloutEntry entry : status.entries()) {
            if (draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign
                    && QuarantineLiftRule.isLifted(campaign.status(), status, entry)) {
                RolloutEntry open = entry.withFailedAttempts(0, null, MachineOutcome.OPEN);
                draft.write(status.withEntries(MachineStatusWriter.withEntry(draft.state(), status, open)));
                return draft.build(
                        DecisionEvent.MACHINE_REQUEUED,
                        status.key(),
                        campaign.name().name());
            }
        }
        throw new IllegalStateException(machine.key() + " has no rollout entry whose quarantine is lifted");
    }

    private static Decision writeIntentStatus(DecisionBuilder draft, ObjectKey object) {
        IntentStatus status = draft.state().dueWork().currentIntentStatus(object);
        return status == null
                ? draft.remove(Table.STATUS, object)
                        .build(DecisionEvent.INTENT_STATUS_CHANGED, object, "intent removed")
                : draft.write(status).build(DecisionEvent.INTENT_STATUS_CHANGED, object, describeIntentStatus(status));
    }

    private static String describeIntentStatus(IntentStatus status) {
        return status.state().label() + ", " + status.succeeded() + " of " + status.machines() + " at target"
                + (status.failed() == 0 ? "" : ", " + status.failed() + " quarantined");
    }
}
