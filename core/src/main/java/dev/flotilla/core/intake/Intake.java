package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.Draft;
import dev.flotilla.core.Event;
import dev.flotilla.core.Input;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/** Takes an input table's row, or refuses it with a reason. */
public final class Intake {
    private Intake() {}

    public static Decision take(Draft draft, Input.Arrived arrived) {
        RejectedRecord flaw = arrived.flaw();
        if (flaw != null && !isAccepted(draft.state(), arrived.fact())) {
            return refuse(draft, arrived.fact(), flaw);
        }
        Decision decision = switch (arrived.fact()) {
            case MachineRow row -> InventoryIntake.machine(draft, row);
            case ClusterRow row -> InventoryIntake.cluster(draft, row);
            case WatcherHeartbeat row -> InventoryIntake.heartbeat(draft, row);
            case UpgradeIntent row -> IntentIntake.put(draft, arrived, row);
            case UpgradePolicy row -> PolicyIntake.put(draft, row);
            case Campaign row -> CampaignIntake.put(draft, arrived, row);
            case OperatorOrder row -> OrderIntake.put(draft, arrived, row);
            case Tombstone tombstone -> remove(draft, arrived, tombstone);
            default -> throw new IllegalArgumentException("not an input: " + arrived.fact());
        };
        return readable(draft, arrived, decision);
    }

    private static Decision remove(Draft draft, Input.Arrived arrived, Tombstone tombstone) {
        Table table = tombstone.rowKey().table();
        EntityKey key = tombstone.rowKey().key();
        return switch (table) {
            case INVENTORY ->
                switch (key) {
                    case MachineKey machine -> InventoryIntake.machineGone(draft, tombstone, machine);
                    case ClusterKey cluster ->
                        draft.state().cluster(cluster) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).decide(Event.INVENTORY_CHANGED, cluster, "gone");
                    case SiteId site ->
                        draft.state().site(site) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).decide(Event.INVENTORY_CHANGED, site, "gone");
                    default -> Decision.NOTHING;
                };
            case INTENTS -> IntentIntake.remove(draft, tombstone, (ObjectKey) key);
            case POLICIES -> PolicyIntake.remove(draft, arrived, (PolicyScope) key);
            case CAMPAIGNS -> CampaignIntake.remove(draft, arrived, tombstone, (CampaignName) key);
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS -> OrderIntake.remove(draft, arrived, tombstone, (OperatorOrderKey) key);
            // A worker's row that goes says nothing: what it said was taken when it was said.
            case PROGRESS -> Decision.NOTHING;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER ->
                throw new IllegalArgumentException("not an input: " + tombstone);
        };
    }

    /** A readable record takes the place of an unreadable one, and with it what that had closed. */
    private static Decision readable(Draft draft, Input.Arrived arrived, Decision decision) {
        if (draft.state().rejected().isEmpty()) {
            return decision;
        }
        RejectedRecordKey key = Coordinates.of(arrived);
        if (draft.state().rejected(key) == null || decision.event() == Event.REJECTED) {
            return decision;
        }
        Draft amended = new Draft(draft.state(), draft.at()).remove(Table.REJECTED, key);
        Garbage.forgetRest(amended, key);
        for (RowChange rowChange : decision.facts()) {
            if (!(rowChange instanceof dev.flotilla.schemas.row.FleetHead)) {
                amended.write(rowChange);
            }
        }
        boolean isKept = arrived.fact() instanceof OperatorOrder || arrived.fact() instanceof UpgradePolicy;
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
            @Nullable RowChange stillCounts) {
        RejectedRecord row = new RejectedRecord(
                Coordinates.of(arrived), arrived.offset(), reason, path, value, problem, draft.at(), true, stillCounts);
        return refuse(draft, arrived.fact(), row);
    }

    /** Refuses a record that would open what an unreadable one has closed: its place counts as unreadable still. */
    static Decision stayUnreadable(Draft draft, Input.Arrived arrived, String problem) {
        RejectedRecordKey key = Coordinates.of(arrived);
        RejectedRecord known = draft.state().rejected(key);
        RejectedRecord row = new RejectedRecord(
                key,
                arrived.offset(),
                RejectionReason.CONTRADICTION,
                "",
                "",
                problem,
                draft.at(),
                false,
                known == null ? null : known.lastAccepted());
        return refuse(draft, arrived.fact(), row);
    }

    /** The state takes the row all the same, for it is what the table says; what it asks for is not done. */
    private static Decision refuse(Draft draft, RowChange rowChange, RejectedRecord why) {
        return draft.write(rowChange).write(why).decide(Event.REJECTED, why.key(), why.problem());
    }

    /** Whether just this was accepted before: it is not refused when it is written again. */
    private static boolean isAccepted(FleetState state, RowChange rowChange) {
        return switch (rowChange) {
            case Campaign row -> {
                CampaignRollout known = state.rollout(row.name());
                yield known != null && row.equals(known.status().acceptedCampaign());
            }
            case UpgradePolicy row -> row.equals(state.policy(row.scope()));
            default -> false;
        };
    }
}
