package dev.flotilla.simulator.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.simulator.log.SimLogRecord;
import java.time.Instant;

/** Creates the rows about records that a leader rejects. */
public final class RejectedRecordFactory {
    private RejectedRecordFactory() {}

    static RejectedRecord rejectedRecord(
            TablePartition tablePartition, SimLogRecord logged, RejectionReason reason, String problem, Instant at) {
        return new RejectedRecord(keyOf(tablePartition, logged), logged.offset(), reason, "", "", problem, at);
    }

    /** Whether a decodable record was rejected like an unreadable one. */
    public static boolean isRejected(FleetState state, TablePartition tablePartition, SimLogRecord logged) {
        RejectedRecord known = state.rejected().isEmpty() ? null : state.rejected(keyOf(tablePartition, logged));
        return known != null && !known.readable() && known.offset() == logged.offset();
    }

    private static RejectedRecordKey keyOf(TablePartition tablePartition, SimLogRecord logged) {
        return new RejectedRecordKey(
                new Topic(tablePartition.table(), tablePartition.site()).name(),
                tablePartition.partition(),
                String.valueOf(RecordKeyFormat.print(logged.key())));
    }
}
