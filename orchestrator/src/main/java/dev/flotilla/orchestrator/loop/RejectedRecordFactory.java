package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.json.TimeZoneValidator;
import dev.flotilla.schemas.json.codec.RejectionDetail;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the row and the detail of a rejected record. */
final class RejectedRecordFactory {
    /**
     * No valid key is longer: an order to skip a machine has the names of a campaign and a machine, up to 63 and 253
     * characters.
     */
    private static final int MAX_KEY_LENGTH = 512;

    private RejectedRecordFactory() {}

    /** A key as it was written, shortened to what a row can hold; long keys with the same beginning stay different. */
    private static String limitKey(@Nullable String written) {
        if (written == null || written.length() <= MAX_KEY_LENGTH) {
            return written == null ? "" : written;
        }
        return written.substring(0, MAX_KEY_LENGTH) + "…" + Integer.toHexString(written.hashCode());
    }

    /** The key of the rejected record's row. */
    static RejectedRecordKey keyOf(ConsumedRecord consumedRecord) {
        return new RejectedRecordKey(
                consumedRecord.record().topic(),
                consumedRecord.partition().partition(),
                limitKey(consumedRecord.record().key()));
    }

    /** The detail of a valid record whose decision fails because of a bug. */
    static RejectionDetail failedDecisionDetail() {
        return new RejectionDetail(
                RejectionReason.CANNOT_BE_DECIDED,
                "",
                "",
                "the decision on it failed twice because of a bug; the orchestrator's log has the stack trace",
                null);
    }

    /** The detail of a valid record whose decision Kafka would reject as too large. */
    static RejectionDetail tooLargeDetail(DecisionTooLargeException large) {
        return new RejectionDetail(RejectionReason.TOO_LARGE, "", "", String.valueOf(large.getMessage()), null);
    }

    /** The row of a record that was rejected as unreadable. */
    static RejectedRecord rejectedRow(ConsumedRecord consumedRecord, RejectionDetail detail, Instant at) {
        return rejectedRow(consumedRecord, detail, at, false);
    }

    /** The row of a readable record with a defect; null if there is no defect. */
    static @Nullable RejectedRecord defectRow(ConsumedRecord consumedRecord, RowChange rowChange, Instant at) {
        List<RejectionDetail> defects = TimeZoneValidator.findProblems(rowChange, TimeZoneRules::isKnownToJvm);
        return defects.isEmpty() ? null : rejectedRow(consumedRecord, defects.getFirst(), at, true);
    }

    private static RejectedRecord rejectedRow(
            ConsumedRecord consumedRecord, RejectionDetail detail, Instant at, boolean readable) {
        return new RejectedRecord(
                keyOf(consumedRecord),
                consumedRecord.offset(),
                detail.reason(),
                detail.path(),
                detail.value(),
                detail.hint() == null ? detail.problem() : detail.problem() + " (" + detail.hint() + ")",
                at,
                readable,
                null);
    }
}
