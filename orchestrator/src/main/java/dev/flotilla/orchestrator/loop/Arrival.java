package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * A record that was read, and what it states, decoded by whoever asks first. Two threads may ask at once: both come to the
 * same, and neither waits for the other.
 */
final class Arrival {
    private final Read read;
    private volatile @Nullable DecodeResult<RowChange> decodeResult;

    Arrival(Read read) {
        this.read = read;
    }

    Read read() {
        return read;
    }

    DecodeResult<RowChange> decoded() {
        DecodeResult<RowChange> known = decodeResult;
        if (known == null) {
            known = WireRecordCodec.decode(read.record());
            decodeResult = known;
        }
        return known;
    }

    /** The fact, or null for a record that nobody can read. */
    @Nullable
    RowChange fact() {
        return decoded() instanceof DecodeResult.Accepted<RowChange> accepted ? accepted.value() : null;
    }
}
