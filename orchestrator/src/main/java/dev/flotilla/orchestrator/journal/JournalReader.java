package dev.flotilla.orchestrator.journal;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the journal once, from the reader's position to the journal's present end. */
public final class JournalReader {
    private static final TablePartition JOURNAL = TablePartition.of(Table.JOURNAL);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private JournalReader() {}

    /** Passes every record to the consumer, in order. */
    public static void readAll(PartitionReader reader, Consumer<ConsumedRecord> consumer) {
        readWhile(reader, consumedRecord -> {
            consumer.accept(consumedRecord);
            return true;
        });
    }

    /** Passes records to the consumer, in order, until it returns false. */
    public static void readWhile(PartitionReader reader, Predicate<ConsumedRecord> consumer) {
        Long end = reader.endOffsets(List.of(JOURNAL)).get(JOURNAL);
        long lastReadNanos = System.nanoTime();
        while (end != null && reader.nextOffset(JOURNAL) < end) {
            List<ConsumedRecord> reads = reader.poll(POLL);
            for (ConsumedRecord consumedRecord : reads) {
                if (consumedRecord.offset() >= end || !consumer.test(consumedRecord)) {
                    return;
                }
            }
            long now = System.nanoTime();
            if (!reads.isEmpty()) {
                lastReadNanos = now;
            } else if (now - lastReadNanos > READ_TIMEOUT.toNanos()) {
                throw new KafkaFailure(
                        KafkaFailure.Kind.UNREACHABLE,
                        "the broker returned no journal records within " + READ_TIMEOUT.toSeconds()
                                + " s, although there are more",
                        null);
            }
        }
    }

    /** The first offset that is still kept. */
    public static long beginning(PartitionReader reader) {
        Long beginning = reader.beginningOffsets(List.of(JOURNAL)).get(JOURNAL);
        return beginning == null ? 0 : beginning;
    }

    /** The decoded record, or null if it is unreadable. */
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
