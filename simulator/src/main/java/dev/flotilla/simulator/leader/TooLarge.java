package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.simulator.log.RecordLimits;
import org.jspecify.annotations.Nullable;

/** A decision makes a record that Kafka would refuse. Nothing of it was put or sent. */
final class TooLarge extends RuntimeException {
    private static final long serialVersionUID = 1;

    private TooLarge(String refusal) {
        super(refusal);
    }

    static void require(JournalRecord said, RecordLimits limits) {
        require(limits.refusal(said, TopicCatalogue.MAX_RECORD_BYTES));
        for (RowChange rowChange : said.changes()) {
            require(limits.refusal(rowChange, TopicCatalogue.MAX_RECORD_BYTES));
        }
    }

    private static void require(@Nullable String refusal) {
        if (refusal != null) {
            throw new TooLarge(refusal);
        }
    }
}
