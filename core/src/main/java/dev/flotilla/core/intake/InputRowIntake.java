package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.WatcherHeartbeat;

/** Accepts a row of an input table, or rejects it with a reason. */
public final class InputRowIntake {
    private InputRowIntake() {}

    public static Decision accept(DecisionBuilder draft, DecisionInput.RecordReceived recordReceived) {
        RejectedRecord defect = recordReceived.defect();
        if (defect != null && !isAccepted(draft.state(), recordReceived.change())) {
            return InputRejection.write(draft, recordReceived.change(), defect);
        }
        Decision decision = switch (recordReceived.change()) {
            case MachineRow row -> InventoryIntake.acceptMachine(draft, row);
            case ClusterRow row -> InventoryIntake.acceptCluster(draft, row);
            case WatcherHeartbeat row -> InventoryIntake.acceptHeartbeat(draft, row);
            case UpgradeIntent row -> IntentIntake.acceptIntent(draft, recordReceived, row);
            case UpgradePolicy row -> PolicyIntake.acceptPolicy(draft, row);
            case Campaign row -> CampaignIntake.acceptCampaign(draft, recordReceived, row);
            case OperatorOrder row -> OperatorOrderIntake.acceptOrder(draft, recordReceived, row);
            case Tombstone tombstone -> removeRow(draft, recordReceived, tombstone);
            default -> throw new IllegalArgumentException("not an input: " + recordReceived.change());
        };
        return clearUnreadable(draft, recordReceived, decision);
    }

    private static Decision removeRow(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Tombstone tombstone) {
        Table table = tombstone.rowKey().table();
        EntityKey key = tombstone.rowKey().key();
        return switch (table) {
            case INVENTORY ->
                switch (key) {
                    case MachineKey machine -> InventoryIntake.removeMachine(draft, tombstone, machine);
                    case ClusterKey cluster ->
                        draft.state().cluster(cluster) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).build(DecisionEvent.INVENTORY_CHANGED, cluster, "deleted");
                    case SiteId site ->
                        draft.state().site(site) == null
                                ? Decision.NOTHING
                                : draft.write(tombstone).build(DecisionEvent.INVENTORY_CHANGED, site, "deleted");
                    default -> Decision.NOTHING;
                };
            case INTENTS -> IntentIntake.removeIntent(draft, tombstone, (ObjectKey) key);
            case POLICIES -> PolicyIntake.removePolicy(draft, recordReceived, (PolicyScope) key);
            case CAMPAIGNS -> CampaignIntake.removeCampaign(draft, recordReceived, tombstone, (CampaignName) key);
            case ORDERS, APPROVALS, FREEZES, AUDITOR_ORDERS ->
                OperatorOrderIntake.removeOrder(draft, recordReceived, tombstone, (OperatorOrderKey) key);
            // A deleted report needs no decision: it was handled when it was written.
            case PROGRESS -> Decision.NOTHING;
            case STATUS, COMMANDS, CAMPAIGN_STATUS, HEAD, JOURNAL, REJECTED, LEADER ->
                throw new IllegalArgumentException("not an input: " + tombstone);
        };
    }

    /** A readable record replaces an unreadable one and opens what that had closed. */
    private static Decision clearUnreadable(
            DecisionBuilder draft, DecisionInput.RecordReceived recordReceived, Decision decision) {
        if (draft.state().rejected().isEmpty()) {
            return decision;
        }
        RejectedRecordKey key = recordReceived.rejectedRecordKey();
        if (draft.state().rejected(key) == null || decision.event() == DecisionEvent.REJECTED) {
            return decision;
        }
        DecisionBuilder withReadableRecord = new DecisionBuilder(draft.state(), draft.at()).remove(Table.REJECTED, key);
        UnreadableRecordLimiter.clearOverflow(withReadableRecord, key);
        for (RowChange rowChange : decision.changes()) {
            if (!(rowChange instanceof dev.flotilla.schemas.row.FleetHead)) {
                withReadableRecord.write(rowChange);
            }
        }
        boolean keepsLastAccepted =
                recordReceived.change() instanceof OperatorOrder || recordReceived.change() instanceof UpgradePolicy;
        if (decision.isNothing() && keepsLastAccepted) {
            // The accepted row returns to its table, and the journal says what opened its scope.
            withReadableRecord.write(recordReceived.change());
        }
        return decision.isNothing()
                ? withReadableRecord.build(DecisionEvent.INVENTORY_CHANGED, key, "readable again")
                : withReadableRecord.build(decision.event(), decision.subject(), decision.reason());
    }

    /** Whether this row was accepted before: then it is not rejected when it is written again. */
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
