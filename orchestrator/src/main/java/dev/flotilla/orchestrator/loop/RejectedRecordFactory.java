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

/** What is said of a record that cannot be taken. */
final class RejectedRecordFactory {
    /** No key that is one is longer: a skip names a campaign and a machine, whose names have 63 and 253 characters. */
    private static final int LONGEST_KEY = 512;

    private RejectedRecordFactory() {}

    /** A key as it was written, as far as a row can hold it; two long ones that begin alike stay two. */
    private static String key(@Nullable String written) {
        if (written == null || written.length() <= LONGEST_KEY) {
            return written == null ? "" : written;
        }
        return written.substring(0, LONGEST_KEY) + "…" + Integer.toHexString(written.hashCode());
    }

    /** Where a record that was not taken is told. */
    static RejectedRecordKey keyOf(ConsumedRecord consumedRecord) {
        return new RejectedRecordKey(
                consumedRecord.record().topic(),
                consumedRecord.partition().partition(),
                key(consumedRecord.record().key()));
    }

    /** A record that is well by itself, and that nobody can decide on, by a bug. */
    static RejectionDetail undecidable() {
        return new RejectionDetail(
                RejectionReason.CANNOT_BE_DECIDED,
                "",
                "",
                "could not be decided on twice, by a bug of the orchestrator; its log says which",
                null);
    }

    /** A record that is well by itself, and whose decision Kafka would refuse. */
    static RejectionDetail tooLarge(DecisionTooLargeException large) {
        return new RejectionDetail(RejectionReason.TOO_LARGE, "", "", String.valueOf(large.getMessage()), null);
    }

    /** The row that says why a record cannot be read. */
    static RejectedRecord rejectedRow(ConsumedRecord consumedRecord, RejectionDetail why, Instant at) {
        return rejectedRow(consumedRecord, why, at, false);
    }

    /** What is wrong with a record that can be read; null for nothing. */
    static @Nullable RejectedRecord defectRow(ConsumedRecord consumedRecord, RowChange rowChange, Instant at) {
        List<RejectionDetail> flaws = TimeZoneValidator.findProblems(rowChange, TimeZoneRules::isKnownToJvm);
        return flaws.isEmpty() ? null : rejectedRow(consumedRecord, flaws.getFirst(), at, true);
    }

    private static RejectedRecord rejectedRow(
            ConsumedRecord consumedRecord, RejectionDetail why, Instant at, boolean readable) {
        return new RejectedRecord(
                keyOf(consumedRecord),
                consumedRecord.offset(),
                why.reason(),
                why.path(),
                why.value(),
                why.hint() == null ? why.problem() : why.problem() + " (" + why.hint() + ")",
                at,
                readable,
                null);
    }
}
