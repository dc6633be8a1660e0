package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Undecidable;
import dev.flotilla.core.attempt.AttemptEnd;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.fleet.Quarantine;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.SiteStatus;
import dev.flotilla.schemas.topic.Table;

/**
 * What is to be written besides starts: further rounds of machines, how far owners' and clusters' intents are, and what a site's
 * annotations may ask for and wait for.
 */
public final class Chores {
    private Chores() {}

    public static Decision next(Draft draft) {
        FleetState state = draft.state();
        Machine machine = state.retriable();
        if (machine != null) {
            return Undecidable.about(machine.key(), () -> retry(draft, machine));
        }
        Machine forgotten = state.forgettable();
        if (forgotten != null) {
            return Undecidable.about(forgotten.key(), () -> forget(draft, forgotten));
        }
        ObjectKey object = state.staleObject();
        if (object != null) {
            return Undecidable.about(object, () -> show(draft, object));
        }
        SiteStatus site = state.dueSite();
        return site == null ? Decision.NOTHING : Undecidable.about(site.site(), () -> tell(draft, site));
    }

    private static Decision forget(Draft draft, Machine machine) {
        return draft.remove(Table.STATUS, machine.key())
                .decide(Event.INVENTORY_CHANGED, machine.key(), "gone, and nothing needs its history any more");
    }

    private static Decision tell(Draft draft, SiteStatus due) {
        return draft.write(due)
                .decide(Event.SITE_TOLD, due.site(), due.blockedReason() == null ? "" : "waits at " + due.blockedReason());
    }

    private static Decision retry(Draft draft, Machine machine) {
        MachineStatus status = machine.status();
        if (status == null) {
            throw new IllegalStateException(machine.key() + " is quarantined without a status row");
        }
        for (RolloutEntry entry : status.entries()) {
            if (draft.state().rollout(entry.rolloutRef()) instanceof CampaignRollout campaign
                    && Quarantine.isLifted(campaign.status(), status, entry)) {
                RolloutEntry open = entry.withFailedAttempts(0, null, MachineOutcome.OPEN);
                draft.write(new MachineStatus(
                        status.key(),
                        status.uid(),
                        status.attempt(),
                        status.lastFailure(),
                        AttemptEnd.with(draft.state(), status, open)));
                return draft.decide(
                        Event.MACHINE_RETRIED, status.key(), campaign.name().name());
            }
        }
        throw new IllegalStateException(machine.key() + " has no quarantine to lift");
    }

    private static Decision show(Draft draft, ObjectKey object) {
        IntentStatus status = draft.state().dueStatus(object);
        return status == null
                ? draft.remove(Table.STATUS, object).decide(Event.OBJECT_PROGRESSED, object, "intent removed")
                : draft.write(status).decide(Event.OBJECT_PROGRESSED, object, says(status));
    }

    private static String says(IntentStatus status) {
        return status.state().label() + ", " + status.succeeded() + " of " + status.machines() + " at target"
                + (status.failed() == 0 ? "" : ", " + status.failed() + " given up on");
    }
}
