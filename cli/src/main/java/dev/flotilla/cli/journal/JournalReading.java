package dev.flotilla.cli.journal;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.Read;
import dev.flotilla.schemas.json.Wire;
import dev.flotilla.schemas.json.codec.Decoded;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the journal once, from its first kept record to the end that it has now. */
final class JournalReading {
    private static final Place JOURNAL = Place.of(Table.JOURNAL);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STANDSTILL = Duration.ofSeconds(10);

    private JournalReading() {}

    /** Hands every record over, in order. */
    static void read(PartitionReader reader, Consumer<Read> taker) {
        Long end = reader.ends(List.of(JOURNAL)).get(JOURNAL);
        long moved = System.nanoTime();
        while (end != null && reader.position(JOURNAL) < end) {
            List<Read> reads = reader.poll(POLL);
            reads.stream().filter(read -> read.offset() < end).forEach(taker);
            long now = System.nanoTime();
            if (!reads.isEmpty()) {
                moved = now;
            } else if (now - moved > STANDSTILL.toNanos()) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "no records of the journal within " + STANDSTILL.toSeconds() + " s, though there are more",
                        null);
            }
        }
    }

    /** The first offset that is still kept. */
    static long beginning(PartitionReader reader) {
        Long beginning = reader.beginnings(List.of(JOURNAL)).get(JOURNAL);
        return beginning == null ? 0 : beginning;
    }

    static @Nullable JournalRecord record(Read read) {
        return Wire.decode(read.record()) instanceof Decoded.Accepted<Fact> accepted
                        && accepted.value() instanceof JournalRecord record
                ? record
                : null;
    }

    static Place place() {
        return JOURNAL;
    }
}
