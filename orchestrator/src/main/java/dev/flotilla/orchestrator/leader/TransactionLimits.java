package dev.flotilla.orchestrator.leader;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of one transaction. Work that does not fit stays due and is found again from the rows.
 *
 * @param records rows, journal records and head rows together
 * @param bytes bytes of their keys and values, which the heap holds several times; a single decision that exceeds this
 *     is committed alone
 * @param partitions partitions that are written to; a commit's cost grows with them
 * @param record bytes of one record's key and value; Kafka would reject a larger record, and the transaction with it
 */
public record TransactionLimits(int records, int bytes, int partitions, int record) {
    public static final TransactionLimits DEFAULT =
            new TransactionLimits(5_000, 3 * 1024 * 1024, 64, TopicCatalogue.MAX_RECORD_BYTES);

    /** Splits rows of one site that were decided on before into parts that fit a transaction each. */
    List<List<WireRecord>> splitRows(List<WireRecord> rows) {
        List<List<WireRecord>> parts = new ArrayList<>();
        List<WireRecord> part = new ArrayList<>();
        int size = 0;
        for (WireRecord row : rows) {
            int more = TransactionBuilder.sizeOf(row);
            if (!part.isEmpty() && (part.size() == records || size + more > bytes)) {
                parts.add(part);
                part = new ArrayList<>();
                size = 0;
            }
            part.add(row);
            size += more;
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }
}
