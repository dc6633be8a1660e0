package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;

/**
 * What one transaction may hold. What does not fit is due work, found again from the rows.
 *
 * @param records rows, journal records and head rows together
 * @param bytes of their keys and values, which the heap holds several times over; a single decision that is larger than all
 *     of this goes alone
 * @param partitions that are written to; a commit's cost grows with them
 * @param record key and value of one record; Kafka would refuse a larger one, and with it the transaction
 */
record TransactionLimits(int records, int bytes, int partitions, int record) {
    static final TransactionLimits USUAL =
            new TransactionLimits(5_000, 3 * 1024 * 1024, 64, TopicCatalogue.MAX_RECORD_BYTES);

    /** Rows that were decided on before, of one site, in parts that fit. */
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
