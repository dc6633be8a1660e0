package dev.flotilla.orchestrator.loop;

import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import org.jspecify.annotations.Nullable;

/**
 * A record that was read, and what it states, decoded by whoever asks first. Two threads may ask at once: both come to the
 * same, and neither waits for the other.
 */
final class Arrival {
    private final Read read;
    private volatile @Nullable Decoded<Fact> decoded;

    Arrival(Read read) {
        this.read = read;
    }

    Read read() {
        return read;
    }

    Decoded<Fact> decoded() {
        Decoded<Fact> known = decoded;
        if (known == null) {
            known = Wire.decode(read.record());
            decoded = known;
        }
        return known;
    }

    /** The fact, or null for a record that nobody can read. */
    @Nullable
    Fact fact() {
        return decoded() instanceof Decoded.Accepted<Fact> accepted ? accepted.value() : null;
    }
}
