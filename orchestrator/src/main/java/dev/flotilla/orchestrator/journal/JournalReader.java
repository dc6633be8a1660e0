package dev.flotilla.orchestrator.journal;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the journal once, from where a reader stands to the end that it has now. */
public final class JournalReader {
    private static final TablePartition JOURNAL = TablePartition.of(Table.JOURNAL);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration STANDSTILL = Duration.ofSeconds(10);

    private JournalReader() {}

    /** Hands every record over, in order. */
    public static void readAll(PartitionReader reader, Consumer<ConsumedRecord> taker) {
        readWhile(reader, consumedRecord -> {
            taker.accept(consumedRecord);
            return true;
        });
    }

    /** Hands records over, in order, until the taker wants no more. */
    public static void readWhile(PartitionReader reader, Predicate<ConsumedRecord> taker) {
        Long end = reader.endOffsets(List.of(JOURNAL)).get(JOURNAL);
        long moved = System.nanoTime();
        while (end != null && reader.nextOffset(JOURNAL) < end) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            for (ConsumedRecord consumedRecord : reads) {
                if (consumedRecord.offset() >= end || !taker.test(consumedRecord)) {
                    return;
                }
            }
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
    public static long beginning(PartitionReader reader) {
        Long beginning = reader.beginningOffsets(List.of(JOURNAL)).get(JOURNAL);
        return beginning == null ? 0 : beginning;
    }

    /** The record that was read, or null where nobody can read it. */
    public static @Nullable JournalRecord decodeRecord(ConsumedRecord consumedRecord) {
        return WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                        && accepted.value() instanceof JournalRecord record
                ? record
                : null;
    }

    public static TablePartition journalPartition() {
        return JOURNAL;
    }
}
