package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.log.RecordSizeLimits;
import org.jspecify.annotations.Nullable;

/** A decision produced a record that Kafka would reject. None of its rows was put or sent. */
final class RecordTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private RecordTooLargeException(String reason) {
        super(reason);
    }

    static void requireWithinLimits(JournalRecord journalRecord, RecordSizeLimits limits) {
        requireWithinLimits(limits.rejectionReason(journalRecord, TopicCatalogue.MAX_RECORD_BYTES));
        for (RowChange rowChange : journalRecord.changes()) {
            requireWithinLimits(limits.rejectionReason(rowChange, TopicCatalogue.MAX_RECORD_BYTES));
        }
    }

    private static void requireWithinLimits(@Nullable String reason) {
        if (reason != null) {
            throw new RecordTooLargeException(reason);
        }
    }
}
