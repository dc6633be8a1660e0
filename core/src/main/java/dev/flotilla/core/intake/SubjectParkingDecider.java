package dev.flotilla.core.intake;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;

/**
 * Parks a subject whose due work fails because of a bug, under the key of our own row about it, so that no input brings
 * it back. A parked machine ends with the machine; any other, when an operator deletes the rejected record after the
 * bug is fixed.
 */
public final class SubjectParkingDecider {
    private SubjectParkingDecider() {}

    /** Whether the due work of a subject is not decided. */
    public static boolean isParked(FleetState state, EntityKey subject) {
        return state.rejected(parkingKey(subject)) != null;
    }

    public static Decision park(DecisionBuilder draft, EntityKey subject, String problem) {
        RejectedRecordKey key = parkingKey(subject);
        return isParked(draft.state(), subject)
                ? Decision.NOTHING
                : draft.write(new RejectedRecord(
                                key, 0, RejectionReason.CANNOT_BE_DECIDED, "", "", problem, draft.at(), false, null))
                        .build(DecisionEvent.REJECTED, key, problem);
    }

    /** Ends the parking of a machine that was deleted or replaced. */
    static void unpark(DecisionBuilder draft, MachineKey machine) {
        if (!draft.state().rejected().isEmpty() && isParked(draft.state(), machine)) {
            draft.remove(Table.REJECTED, parkingKey(machine));
        }
    }

    private static RejectedRecordKey parkingKey(EntityKey subject) {
        return switch (subject) {
            case ObjectKey object ->
                parkingKey(new RowKey(Table.STATUS, object), new Topic(Table.STATUS, object.site()));
            case SiteId site -> parkingKey(new RowKey(Table.STATUS, site), new Topic(Table.STATUS, site));
            case CampaignName campaign ->
                parkingKey(new RowKey(Table.CAMPAIGN_STATUS, campaign), Topic.of(Table.CAMPAIGN_STATUS));
            case WaveKey wave -> parkingKey(wave.campaign());
            default -> throw new IllegalArgumentException("no due work is about " + subject);
        };
    }

    private static RejectedRecordKey parkingKey(RowKey row, Topic topic) {
        return new RejectedRecordKey(topic.name(), 0, String.valueOf(RecordKeyFormat.print(row)));
    }
}
