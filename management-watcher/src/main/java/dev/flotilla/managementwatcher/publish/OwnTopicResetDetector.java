package dev.flotilla.managementwatcher.publish;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Detects that one of the watcher's own topics was created again or lost records: it ends before the offset up to which
 * the watcher has written. Then all rows have to be read and written again.
 */
final class OwnTopicResetDetector {
    private final Map<TablePartition, Long> writtenUpTo = new LinkedHashMap<>();

    /** Compares the current end offsets with those up to which the watcher has written. */
    void checkEndOffsets(Map<TablePartition, Long> now) {
        now.forEach(this::checkEndOffset);
    }

    /**
     * Records a committed transaction.
     *
     * @param next for each partition the offset after the last record
     */
    void recordWrite(List<WireRecord> records, Map<TablePartition, Long> next) {
        next.forEach((tablePartition, end) -> {
            String topic = new Topic(tablePartition.table(), tablePartition.site()).name();
            long first = end
                    - records.stream()
                            .filter(record -> record.topic().equals(topic))
                            .count();
            checkEndOffset(tablePartition, first);
            writtenUpTo.put(tablePartition, end);
        });
    }

    private void checkEndOffset(TablePartition tablePartition, long end) {
        Long before = writtenUpTo.get(tablePartition);
        if (before != null && end < before) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.RECORDS_LOST,
                    "table " + tablePartition + " ends at offset " + end + " and was written up to " + before
                            + ": its topic was created again, or has lost records",
                    null);
        }
        writtenUpTo.put(tablePartition, end);
    }
}
