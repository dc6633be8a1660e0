package dev.flotilla.orchestrator.journal;

import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Finds positions near the journal's end without reading what is before them. The markers of transactions and aborted records have
 * offsets too, so the number of records after an offset is unknown: it goes back from the end in growing steps until there are enough.
 */
public final class JournalPositionFinder {
    private static final TablePartition JOURNAL = JournalReader.journalPartition();
    private static final long FIRST_STEP = 64;
    private static final int GROWTH = 4;

    private final PartitionReader reader;

    /** @param reader a reader of the journal */
    public JournalPositionFinder(PartitionReader reader) {
        this.reader = reader;
    }

    /** Positions the reader so that at least this number of records follows, or at the journal's beginning. */
    public void findLast(int count) {
        goBackUntil(() -> readFirst(count).size() == count);
    }

    /** Positions the reader at a record or before it, or at the journal's beginning. */
    public void findRecord(long seq) {
        goBackUntil(() -> readFirst(1).stream().anyMatch(record -> record.seq() <= seq));
    }

    private void goBackUntil(BooleanSupplier isFarEnough) {
        long beginning = JournalReader.beginning(reader);
        long end = reader.endOffsets(List.of(JOURNAL)).getOrDefault(JOURNAL, beginning);
        long start = end;
        for (long step = FIRST_STEP; start > beginning; step *= GROWTH) {
            start = Math.max(beginning, end - step);
            reader.seek(JOURNAL, start);
            if (start > beginning && isFarEnough.getAsBoolean()) {
                break;
            }
        }
        reader.seek(JOURNAL, start);
    }

    /** Reads the first readable records from the reader's position on. */
    private List<JournalRecord> readFirst(int count) {
        List<JournalRecord> records = new ArrayList<>();
        JournalReader.readWhile(reader, consumedRecord -> {
            JournalRecord record = JournalReader.decodeRecord(consumedRecord);
            if (record != null) {
                records.add(record);
            }
            return records.size() < count;
        });
        return records;
    }
}
