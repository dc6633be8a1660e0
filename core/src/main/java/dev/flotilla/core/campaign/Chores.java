package dev.flotilla.core.campaign;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.attempt.AttemptEnd;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.Entry;
import dev.flotilla.schemas.row.Failure;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Outcome;
import dev.flotilla.schemas.topic.Table;

/** What is to be written about a cluster besides starts. */
public final class Chores {
    private Chores() {}

    public static Decision next(Draft draft) {
        FleetState state = draft.state();
        Cluster cluster = state.chore();
        if (cluster == null) {
            return Decision.NOTHING;
        }
        Machine machine = state.retriable(cluster);
        return machine == null ? intent(draft, cluster) : retry(draft, machine);
    }

    private static Decision retry(Draft draft, Machine machine) {
        MachineStatus status = machine.status();
        if (status == null) {
            throw new IllegalStateException(machine.key() + " is quarantined without a status row");
        }
        Failure failure = status.lastFailure();
        long failed = failure == null ? 0 : failure.attempt();
        for (Entry entry : status.entries()) {
            if (entry.outcome() == Outcome.QUARANTINED
                    && draft.state().rollout(entry.driver()) instanceof CampaignRollout campaign
                    && failed < campaign.status().retriedBelow()) {
                Entry open = new Entry(entry.driver(), entry.wave(), 0, null, Outcome.OPEN);
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

    private static Decision intent(Draft draft, Cluster cluster) {
        ClusterKey key = cluster.key();
        Intent intent = draft.state().intent(key);
        if (intent == null) {
            return draft.remove(Table.STATUS, key).decide(Event.OBJECT_PROGRESSED, key, "intent removed");
        }
        var status = draft.state().objectStatus(intent, cluster);
        return draft.write(status)
                .decide(Event.OBJECT_PROGRESSED, key, status.state().label());
    }
}
