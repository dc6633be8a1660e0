package dev.flotilla.core.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes the rows of rejected records. */
public final class RejectedRecordFactory {
    /**
     * No valid key is longer: an order to skip a machine has the names of a campaign and a machine, up to 63 and 253
     * characters.
     */
    private static final int MAX_KEY_LENGTH = 512;

    private RejectedRecordFactory() {}

    /** The key of the row of a record that was written with this key. */
    public static RejectedRecordKey keyOf(TablePartition partition, @Nullable String writtenKey) {
        return new RejectedRecordKey(
                new Topic(partition.table(), partition.site()).name(), partition.partition(), limitKey(writtenKey));
    }

    /** A key as it was written, shortened to what a row can hold; long keys with the same beginning stay different. */
    private static String limitKey(@Nullable String written) {
        if (written == null || written.length() <= MAX_KEY_LENGTH) {
            return written == null ? "" : written;
        }
        return written.substring(0, MAX_KEY_LENGTH) + "…" + Integer.toHexString(written.hashCode());
    }

    /** Whether a readable record was rejected, and therefore counts as unreadable. */
    public static boolean isRejected(FleetState state, InputRecord input) {
        RejectedRecord rejected =
                state.rejected().isEmpty() ? null : state.rejected(keyOf(input.partition(), input.writtenKey()));
        return rejected != null && !rejected.readable() && rejected.offset() == input.offset();
    }

    /** The row of a valid record whose decision fails because of a bug. */
    static RejectedRecord cannotBeDecided(InputRecord input, Instant at) {
        return rejected(
                input,
                RejectionReason.CANNOT_BE_DECIDED,
                "the decision on it failed twice because of a bug; the orchestrator's log has the stack trace",
                at);
    }

    /** The row of a valid record whose decision Kafka would reject as too large. */
    static RejectedRecord tooLarge(InputRecord input, DecisionTooLargeException large, Instant at) {
        return rejected(input, RejectionReason.TOO_LARGE, String.valueOf(large.getMessage()), at);
    }

    private static RejectedRecord rejected(InputRecord input, RejectionReason reason, String problem, Instant at) {
        return new RejectedRecord(
                keyOf(input.partition(), input.writtenKey()), input.offset(), reason, "", "", problem, at);
    }
}
