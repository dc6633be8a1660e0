package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.log.RecordSizeLimits;
import org.jspecify.annotations.Nullable;

/** A decision makes a record that Kafka would refuse. Nothing of it was put or sent. */
final class RecordTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private RecordTooLargeException(String refusal) {
        super(refusal);
    }

    static void requireWithinLimits(JournalRecord said, RecordSizeLimits limits) {
        requireWithinLimits(limits.rejectionReason(said, TopicCatalogue.MAX_RECORD_BYTES));
        for (RowChange rowChange : said.changes()) {
            requireWithinLimits(limits.rejectionReason(rowChange, TopicCatalogue.MAX_RECORD_BYTES));
        }
    }

    private static void requireWithinLimits(@Nullable String refusal) {
        if (refusal != null) {
            throw new RecordTooLargeException(refusal);
        }
    }
}
