package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * A record that was read, and what it states, decoded by whoever asks first. Two threads may ask at once: both come to the
 * same, and neither waits for the other.
 */
final class DecodedRecord {
    private final ConsumedRecord consumedRecord;
    private volatile @Nullable DecodeResult<RowChange> decodeResult;

    DecodedRecord(ConsumedRecord consumedRecord) {
        this.consumedRecord = consumedRecord;
    }

    ConsumedRecord consumedRecord() {
        return consumedRecord;
    }

    DecodeResult<RowChange> decoded() {
        DecodeResult<RowChange> known = decodeResult;
        if (known == null) {
            known = WireRecordCodec.decode(consumedRecord.record());
            decodeResult = known;
        }
        return known;
    }

    /** The fact, or null for a record that nobody can read. */
    @Nullable
    RowChange rowChange() {
        return decoded() instanceof DecodeResult.Accepted<RowChange> accepted ? accepted.value() : null;
    }
}
