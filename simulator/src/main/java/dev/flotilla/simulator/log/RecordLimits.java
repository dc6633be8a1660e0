package dev.flotilla.simulator.log;

import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.Topics;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka refuses of a record for its size. To encode all records of all worlds would take as long as the worlds themselves: in
 * most of them only a journal record that tells many facts is weighed.
 */
public final class RecordLimits {
    /** A journal record with fewer facts than this is weighed only where everything is. */
    private static final int MANY_FACTS = 48;

    private boolean everything;

    RecordLimits() {}

    /** From now on every record is weighed, and has to be readable. */
    public void weighEverything() {
        everything = true;
    }

    /** Why a record is not taken by who keeps to a limit; null where it is. */
    public @Nullable String refusal(Fact fact, int most) {
        boolean weighed = everything
                || (fact instanceof JournalRecord said && said.facts().size() >= MANY_FACTS);
        if (!weighed) {
            return null;
        }
        WireRecord record = Wire.encode(fact, 0L);
        int size = size(record);
        if (size > most) {
            return "a record of " + size + " bytes in " + record.topic() + ", key " + record.key();
        }
        return everything && Wire.decode(record) instanceof Decoded.Refused<Fact> refused
                ? "a record that nobody can read in " + record.topic() + ", key " + record.key() + ": "
                        + refused.first()
                : null;
    }

    /** What the broker refuses; null for nothing. */
    @Nullable
    String refusal(Fact fact) {
        return refusal(fact, Topics.MAX_MESSAGE_BYTES);
    }

    private static int size(WireRecord record) {
        byte[] value = record.value();
        String key = record.key();
        return (value == null ? 0 : value.length) + (key == null ? 0 : key.getBytes(StandardCharsets.UTF_8).length);
    }
}
