package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.id.RejectedKey;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Heartbeat;
import dev.flotilla.schemas.row.Intent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.Order;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.Rejected;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/** Takes an input table's row, or refuses it with a reason. */
public final class Intake {
    private Intake() {}

    public static Decision take(Draft draft, Input.Arrived arrived) {
        Rejected flaw = arrived.flaw();
        if (flaw != null && !isAccepted(draft.state(), arrived.fact())) {
            return refuse(draft, arrived.fact(), flaw);
        }
        Decision decision = switch (arrived.fact()) {
            case MachineRow row -> InventoryIntake.machine(draft, row);
            case ClusterRow row -> InventoryIntake.cluster(draft, row);
            case Heartbeat row -> InventoryIntake.heartbeat(draft, row);
            case Intent row -> IntentIntake.put(draft, arrived, row);
            case Policy row -> PolicyIntake.put(draft, row);
            case Campaign row -> CampaignIntake.put(draft, arrived, row);
            case Order row -> OrderIntake.put(draft, arrived, row);
            case Gone gone -> remove(draft, arrived, gone);
            default -> throw new IllegalArgumentException("not an input: " + arrived.fact());
        };
        return readable(draft, arrived, decision);
    }

    private static Decision remove(Draft draft, Input.Arrived arrived, Gone gone) {
        Table table = gone.at().table();
        Key key = gone.at().key();
        return switch (table) {
            case INVENTORY ->
                switch (key) {
                    case MachineKey machine -> InventoryIntake.machineGone(draft, gone, machine);
                    case ClusterKey cluster ->
                        draft.state().cluster(cluster) == null
                                ? Decision.NOTHING
                                : draft.write(gone).decide(Event.INVENTORY_CHANGED, cluster, "gone");
                    case SiteId site ->
                        draft.state().site(site) == null
                                ? Decision.NOTHING
                                : draft.write(gone).decide(Event.INVENTORY_CHANGED, site, "gone");
                    default -> Decision.NOTHING;
                };
            case INTENTS -> IntentIntake.remove(draft, gone, (ObjectKey) key);
            case POLICIES -> PolicyIntake.remove(draft, arrived, (Scope) key);
            case CAMPAIGNS -> CampaignIntake.remove(draft, arrived, gone, (CampaignName) key);
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> OrderIntake.remove(draft, arrived, gone, (OrderKey) key);
            // A worker's row that goes says nothing: what it said was taken when it was said.
            case PROGRESS -> Decision.NOTHING;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER ->
                throw new IllegalArgumentException("not an input: " + gone);
        };
    }

    /** A readable record takes the place of an unreadable one, and with it what that had closed. */
    private static Decision readable(Draft draft, Input.Arrived arrived, Decision decision) {
        if (draft.state().rejected().isEmpty()) {
            return decision;
        }
        RejectedKey key = Coordinates.of(arrived);
        if (draft.state().rejected(key) == null || decision.event() == Event.REJECTED) {
            return decision;
        }
        Draft amended = new Draft(draft.state(), draft.at()).remove(Table.REJECTED, key);
        Garbage.forgetRest(amended, key);
        for (Fact fact : decision.facts()) {
            if (!(fact instanceof dev.flotilla.schemas.row.FleetHead)) {
                amended.write(fact);
            }
        }
        boolean isKept = arrived.fact() instanceof Order || arrived.fact() instanceof Policy;
        if (decision.isNothing() && isKept) {
            // What was kept beside its own row is to be in it again, and the journal says what has opened the place.
            amended.write(arrived.fact());
        }
        return decision.isNothing()
                ? amended.decide(Event.INVENTORY_CHANGED, key, "readable again")
                : amended.decide(decision.event(), decision.subject(), decision.reason());
    }

    static Decision refuse(
            Draft draft, Input.Arrived arrived, RejectionReason reason, String path, String value, String problem) {
        return refuse(draft, arrived, reason, path, value, problem, null);
    }

    /** Refuses a record that would replace what still counts. */
    static Decision refuse(
            Draft draft,
            Input.Arrived arrived,
            RejectionReason reason,
            String path,
            String value,
            String problem,
            @Nullable Fact stillCounts) {
        Rejected row = new Rejected(
                Coordinates.of(arrived), arrived.offset(), reason, path, value, problem, draft.at(), true, stillCounts);
        return refuse(draft, arrived.fact(), row);
    }

    /** Refuses a record that would open what an unreadable one has closed: its place counts as unreadable still. */
    static Decision stayUnreadable(Draft draft, Input.Arrived arrived, String problem) {
        RejectedKey key = Coordinates.of(arrived);
        Rejected known = draft.state().rejected(key);
        Rejected row = new Rejected(
                key,
                arrived.offset(),
                RejectionReason.CONTRADICTION,
                "",
                "",
                problem,
                draft.at(),
                false,
                known == null ? null : known.accepted());
        return refuse(draft, arrived.fact(), row);
    }

    /** The state takes the row all the same, for it is what the table says; what it asks for is not done. */
    private static Decision refuse(Draft draft, Fact fact, Rejected why) {
        return draft.write(fact).write(why).decide(Event.REJECTED, why.key(), why.problem());
    }

    /** Whether just this was accepted before: it is not refused when it is written again. */
    private static boolean isAccepted(FleetState state, Fact fact) {
        return switch (fact) {
            case Campaign row -> {
                CampaignRollout known = state.rollout(row.name());
                yield known != null && row.equals(known.status().accepted());
            }
            case Policy row -> row.equals(state.policy(row.scope()));
            default -> false;
        };
    }
}
