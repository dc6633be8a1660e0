package dev.flotilla.core.intake;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;

/**
 * Parks what is due about something that by a bug cannot be decided: under the key of our own row about it, so that no input
 * brings it back. It goes with the machine, or by a tombstone that somebody writes who has mended the bug.
 */
public final class SubjectParkingDecider {
    private SubjectParkingDecider() {}

    /** Whether nothing that is due about something is decided. */
    public static boolean isParked(FleetState state, EntityKey subject) {
        return state.rejected(place(subject)) != null;
    }

    public static Decision park(DecisionBuilder draft, EntityKey subject, String problem) {
        RejectedRecordKey key = place(subject);
        return isParked(draft.state(), subject)
                ? Decision.NOTHING
                : draft.write(new RejectedRecord(
                                key, 0, RejectionReason.CANNOT_BE_DECIDED, "", "", problem, draft.at(), false, null))
                        .build(DecisionEvent.REJECTED, key, problem);
    }

    /** Another machine is here now, or none: what could not be decided about the one before is over. */
    static void unpark(DecisionBuilder draft, MachineKey machine) {
        if (!draft.state().rejected().isEmpty() && isParked(draft.state(), machine)) {
            draft.remove(Table.REJECTED, place(machine));
        }
    }

    private static RejectedRecordKey place(EntityKey subject) {
        return switch (subject) {
            case ObjectKey object -> place(new RowKey(Table.STATUS, object), new Topic(Table.STATUS, object.site()));
            case SiteId site -> place(new RowKey(Table.STATUS, site), new Topic(Table.STATUS, site));
            case CampaignName campaign ->
                place(new RowKey(Table.CAMPAIGN_STATUS, campaign), Topic.of(Table.CAMPAIGN_STATUS));
            case WaveKey wave -> place(wave.campaign());
            default -> throw new IllegalArgumentException("nothing falls due about " + subject);
        };
    }

    private static RejectedRecordKey place(RowKey row, Topic topic) {
        return new RejectedRecordKey(topic.name(), 0, String.valueOf(RecordKeyFormat.print(row)));
    }
}
