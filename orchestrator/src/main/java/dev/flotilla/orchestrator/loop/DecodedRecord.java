package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * A polled record with its decoded content, decoded at the first access. Two threads may decode it at once; both get
 * the same result, and neither waits for the other.
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

    DecodeResult<RowChange> decode() {
        DecodeResult<RowChange> result = decodeResult;
        if (result == null) {
            result = WireRecordCodec.decode(consumedRecord.record());
            decodeResult = result;
        }
        return result;
    }

    /** The row change, or null for an unreadable record. */
    @Nullable
    RowChange rowChange() {
        return decode() instanceof DecodeResult.Accepted<RowChange> accepted ? accepted.value() : null;
    }
}
