package dev.flotilla.managementwatcher.publish;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far the topics reach that one writer alone writes. One that ends sooner was deleted and created again, or has lost records:
 * what was published is not there any more, and all of it has to be read and written again.
 */
final class OwnTopicResetDetector {
    private final Map<TablePartition, Long> ends = new LinkedHashMap<>();

    /** They end there now. */
    void checkEndOffsets(Map<TablePartition, Long> now) {
        now.forEach(this::reaches);
    }

    /** These records were written in one transaction, and the last of each place stands before that offset. */
    void recordWrite(List<WireRecord> records, Map<TablePartition, Long> next) {
        next.forEach((tablePartition, end) -> {
            String topic = new Topic(tablePartition.table(), tablePartition.site()).name();
            long first = end
                    - records.stream()
                            .filter(record -> record.topic().equals(topic))
                            .count();
            reaches(tablePartition, first);
            ends.put(tablePartition, end);
        });
    }

    private void reaches(TablePartition tablePartition, long end) {
        Long before = ends.get(tablePartition);
        if (before != null && end < before) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.WENT_BACK,
                    "table " + tablePartition + " ends at offset " + end + " and was written up to " + before
                            + ": its topic was created again, or has lost records",
                    null);
        }
        ends.put(tablePartition, end);
    }
}
