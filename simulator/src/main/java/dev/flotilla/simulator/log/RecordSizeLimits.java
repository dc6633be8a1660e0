package dev.flotilla.simulator.log;

import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka refuses of a record for its size. To encode all records of all worlds would take as long as the worlds themselves: in
 * most of them only a journal record that tells many facts is weighed.
 */
public final class RecordSizeLimits {
    /** A journal record with fewer facts than this is weighed only where everything is. */
    private static final int MANY_FACTS = 48;

    private boolean everything;

    RecordSizeLimits() {}

    /** From now on every record is weighed, and has to be readable. */
    public void weighEverything() {
        everything = true;
    }

    /** Why a record is not taken by who keeps to a limit; null where it is. */
    public @Nullable String rejectionReason(RowChange rowChange, int most) {
        boolean weighed = everything
                || (rowChange instanceof JournalRecord said && said.changes().size() >= MANY_FACTS);
        if (!weighed) {
            return null;
        }
        WireRecord record = WireRecordCodec.encode(rowChange, 0L);
        int size = size(record);
        if (size > most) {
            return "a record of " + size + " bytes in " + record.topic() + ", key " + record.key();
        }
        return everything && WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected
                ? "a record that nobody can read in " + record.topic() + ", key " + record.key() + ": "
                        + rejected.firstRejection()
                : null;
    }

    /** What the broker refuses; null for nothing. */
    @Nullable
    String rejectionReason(RowChange rowChange) {
        return rejectionReason(rowChange, TopicCatalogue.MAX_MESSAGE_BYTES);
    }

    private static int size(WireRecord record) {
        byte[] value = record.value();
        String key = record.key();
        return (value == null ? 0 : value.length) + (key == null ? 0 : key.getBytes(StandardCharsets.UTF_8).length);
    }
}
