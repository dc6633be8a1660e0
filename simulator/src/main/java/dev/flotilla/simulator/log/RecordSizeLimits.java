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

    /** Why a record of a decision is too large to be decided; null if it is not. It is decoded when it is appended. */
    public @Nullable String sizeProblem(RowChange rowChange) {
        return isMeasured(rowChange)
                ? sizeProblem(WireRecordCodec.encode(rowChange, 0L), TopicCatalogue.MAX_RECORD_BYTES)
                : null;
    }

    /** Why the broker or the readers reject a record; null if they accept it. */
    @Nullable
    String rejectionReason(RowChange rowChange) {
        if (!isMeasured(rowChange)) {
            return null;
        }
        WireRecord record = WireRecordCodec.encode(rowChange, 0L);
        String problem = sizeProblem(record, TopicCatalogue.MAX_MESSAGE_BYTES);
        return problem != null ? problem : decodingProblem(record);
    }

    private boolean isMeasured(RowChange rowChange) {
        return measuresEverything
                || (rowChange instanceof JournalRecord journalRecord
                        && journalRecord.changes().size() >= MANY_CHANGES);
    }

    private static @Nullable String sizeProblem(WireRecord record, int most) {
        int size = size(record);
        return size > most ? "a record of " + size + " bytes in " + record.topic() + ", key " + record.key() : null;
    }

    private @Nullable String decodingProblem(WireRecord record) {
        return measuresEverything && WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected
                ? "an unreadable record in " + record.topic() + ", key " + record.key() + ": "
                        + rejected.firstRejection()
                : null;
    }

    private static int size(WireRecord record) {
        byte[] value = record.value();
        String key = record.key();
        return (value == null ? 0 : value.length) + (key == null ? 0 : key.getBytes(StandardCharsets.UTF_8).length);
    }
}
