package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import org.jspecify.annotations.Nullable;

/** Takes an input table's row, or refuses it with a reason. */
public final class InputRowIntake {
    private InputRowIntake() {}

    public static Decision accept(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived) {
        RejectedRecord flaw = recordReceived.defect();
        if (flaw != null && !isAccepted(draft.state(), recordReceived.change())) {
            return reject(draft, recordReceived.change(), flaw);
        }
        Decision decision = switch (recordReceived.change()) {
            case MachineRow row -> InventoryIntake.machine(draft, row);
            case ClusterRow row -> InventoryIntake.cluster(draft, row);
            case WatcherHeartbeat row -> InventoryIntake.heartbeat(draft, row);
            case UpgradeIntent row -> IntentIntake.put(draft, recordReceived, row);
            case UpgradePolicy row -> PolicyIntake.put(draft, row);
            case Campaign row -> CampaignIntake.put(draft, recordReceived, row);
            case OperatorOrder row -> OperatorOrderIntake.put(draft, recordReceived, row);
            case Tombstone tombstone -> remove(draft, recordReceived, tombstone);
            default -> throw new IllegalArgumentException("not an input: " + recordReceived.change());
        };
        return readable(draft, recordReceived, decision);
    }

    private static Decision remove(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Tombstone tombstone) {
        Table table = tombstone.rowKey().table();
        EntityKey key = tombstone.rowKey().key();
        return switch (table) {
            case INVENTORY ->
                switch (key) {
                    case MachineKey machine -> InventoryIntake.machineGone(draft, tombstone, machine);
                    case ClusterKey cluster ->
                        draft.state().cluster(cluster) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).build(DecisionEvent.INVENTORY_CHANGED, cluster, "gone");
                    case SiteId site ->
                        draft.state().site(site) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).build(DecisionEvent.INVENTORY_CHANGED, site, "gone");
                    default -> Decision.NOTHING;
                };
            case INTENTS -> IntentIntake.remove(draft, tombstone, (ObjectKey) key);
            case POLICIES -> PolicyIntake.remove(draft, recordReceived, (PolicyScope) key);
            case CAMPAIGNS -> CampaignIntake.remove(draft, recordReceived, tombstone, (CampaignName) key);
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS ->
                OperatorOrderIntake.remove(draft, recordReceived, tombstone, (OperatorOrderKey) key);
            // A worker's row that goes says nothing: what it said was taken when it was said.
            case PROGRESS -> Decision.NOTHING;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER ->
                throw new IllegalArgumentException("not an input: " + tombstone);
        };
    }

    /** A readable record takes the place of an unreadable one, and with it what that had closed. */
    private static Decision readable(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Decision decision) {
        if (draft.state().rejected().isEmpty()) {
            return decision;
        }
        RejectedRecordKey key = RejectedRecordLocation.locate(recordReceived);
        if (draft.state().rejected(key) == null || decision.event() == DecisionEvent.REJECTED) {
            return decision;
        }
        DecisionBuilder amended = new DecisionBuilder(draft.state(), draft.at()).remove(Table.REJECTED, key);
        UnreadableRecordLimiter.clearOverflow(amended, key);
        for (RowChange rowChange : decision.changes()) {
            if (!(rowChange instanceof dev.flotilla.schemas.row.FleetHead)) {
                amended.write(rowChange);
            }
        }
        boolean isKept =
                recordReceived.change() instanceof OperatorOrder || recordReceived.change() instanceof UpgradePolicy;
        if (decision.isNothing() && isKept) {
            // What was kept beside its own row is to be in it again, and the journal says what has opened the place.
            amended.write(recordReceived.change());
        }
        return decision.isNothing()
                ? amended.build(DecisionEvent.INVENTORY_CHANGED, key, "readable again")
                : amended.build(decision.event(), decision.subject(), decision.reason());
    }

    static Decision reject(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            RejectionReason reason,
            String path,
            String value,
            String problem) {
        return reject(draft, recordReceived, reason, path, value, problem, null);
    }

    /** Refuses a record that would replace what still counts. */
    static Decision reject(
            DecisionBuilder draft,
            DecisionInput.RecordReceived recordReceived,
            RejectionReason reason,
            String path,
            String value,
            String problem,
            @Nullable RowChange stillCounts) {
        RejectedRecord row = new RejectedRecord(
                RejectedRecordLocation.locate(recordReceived),
                recordReceived.offset(),
                reason,
                path,
                value,
                problem,
                draft.at(),
                true,
                stillCounts);
        return reject(draft, recordReceived.change(), row);
    }

    /** Refuses a record that would open what an unreadable one has closed: its place counts as unreadable still. */
    static Decision keepUnreadable(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, String problem) {
        RejectedRecordKey key = RejectedRecordLocation.locate(recordReceived);
        RejectedRecord known = draft.state().rejected(key);
        RejectedRecord row = new RejectedRecord(
                key,
                recordReceived.offset(),
                RejectionReason.CONTRADICTION,
                "",
                "",
                problem,
                draft.at(),
                false,
                known == null ? null : known.lastAccepted());
        return reject(draft, recordReceived.change(), row);
    }

    /** The state takes the row all the same, for it is what the table says; what it asks for is not done. */
    private static Decision reject(DecisionBuilder draft, RowChange rowChange, RejectedRecord why) {
        return draft.write(rowChange).write(why).build(DecisionEvent.REJECTED, why.key(), why.problem());
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
