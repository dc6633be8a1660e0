package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.attempt.MachineStatusWriter;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.QuarantineLiftRule;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.topic.Table;

/**
 * What is to be written besides starts: further rounds of machines, how far owners' and clusters' intents are, and what a site's
 * annotations may ask for and wait for.
 */
public final class RetryAndIntentStatusDecider {
    private RetryAndIntentStatusDecider() {}

    public static Decision decideNext(DecisionBuilder draft) {
        FleetState state = draft.state();
        MachineView machine = state.nextRetriableMachine();
        if (machine != null) {
            return DecisionFailedException.runFor(machine.key(), () -> retry(draft, machine));
        }
        MachineView forgotten = state.nextForgettableMachine();
        if (forgotten != null) {
            return DecisionFailedException.runFor(forgotten.key(), () -> forget(draft, forgotten));
        }
        ObjectKey object = state.nextStaleIntentStatus();
        if (object != null) {
            return DecisionFailedException.runFor(object, () -> show(draft, object));
        }
        SiteStatus site = state.nextStaleSiteStatus();
        return site == null ? Decision.NOTHING : DecisionFailedException.runFor(site.site(), () -> tell(draft, site));
    }

    private static Decision forget(DecisionBuilder draft, MachineView machine) {
        return draft.remove(Table.STATUS, machine.key())
                .build(DecisionEvent.INVENTORY_CHANGED, machine.key(), "gone, and nothing needs its history any more");
    }

    private static Decision tell(DecisionBuilder draft, SiteStatus due) {
        return draft.write(due)
                .build(
                        DecisionEvent.SITE_STATUS_CHANGED,
                        due.site(),
                        due.blockedReason() == null ? "" : "waits at " + due.blockedReason());
    }

    private static Decision retry(DecisionBuilder draft, MachineView machine) {
        MachineStatus status = machine.status();
        if (status == null) {
            throw new IllegalStateException(machine.key() + " is quarantined without a status row");
        }
        for (RolloutEntry entry : status.entries()) {
            if (draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign
                    && QuarantineLiftRule.isLifted(campaign.status(), status, entry)) {
                RolloutEntry open = entry.withFailedAttempts(0, null, MachineOutcome.OPEN);
                draft.write(new MachineStatus(
                        status.key(),
                        status.uid(),
                        status.attempt(),
                        status.lastFailure(),
                        MachineStatusWriter.withEntry(draft.state(), status, open)));
                return draft.build(
                        DecisionEvent.MACHINE_REQUEUED,
                        status.key(),
                        campaign.name().name());
            }
        }
        throw new IllegalStateException(machine.key() + " has no quarantine to lift");
    }

    private static Decision show(DecisionBuilder draft, ObjectKey object) {
        IntentStatus status = draft.state().currentIntentStatus(object);
        return status == null
                ? draft.remove(Table.STATUS, object)
                        .build(DecisionEvent.INTENT_STATUS_CHANGED, object, "intent removed")
                : draft.write(status).build(DecisionEvent.INTENT_STATUS_CHANGED, object, says(status));
    }

    private static String says(IntentStatus status) {
        return status.state().label() + ", " + status.succeeded() + " of " + status.machines() + " at target"
                + (status.failed() == 0 ? "" : ", " + status.failed() + " given up on");
    }
}
