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
 * Finds records that Kafka rejects because of their size. Encoding every record would take as long as the worlds
 * themselves, so most worlds only measure journal records with many row changes.
 */
public final class RecordSizeLimits {
    /** A journal record with fewer row changes is only measured when every record is. */
    private static final int MANY_CHANGES = 48;

    private boolean measuresEverything;

    RecordSizeLimits() {}

    /** Measures every record from now on, and checks that it can be decoded. */
    public void measureEverything() {
        measuresEverything = true;
    }

    /** Why a reader with this size limit rejects a record; null if it accepts it. */
    public @Nullable String rejectionReason(RowChange rowChange, int most) {
        boolean measured = measuresEverything
                || (rowChange instanceof JournalRecord journalRecord
                        && journalRecord.changes().size() >= MANY_CHANGES);
        if (!measured) {
            return null;
        }
        WireRecord record = WireRecordCodec.encode(rowChange, 0L);
        int size = size(record);
        if (size > most) {
            return "a record of " + size + " bytes in " + record.topic() + ", key " + record.key();
        }
        return measuresEverything && WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected
                ? "an unreadable record in " + record.topic() + ", key " + record.key() + ": "
                        + rejected.firstRejection()
                : null;
    }

    /** Why the broker rejects a record; null if it accepts it. */
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
