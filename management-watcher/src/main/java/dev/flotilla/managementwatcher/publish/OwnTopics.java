package dev.flotilla.managementwatcher.publish;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.Place;
import dev.flotilla.schemas.topic.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far the topics reach that one writer alone writes. One that ends sooner was deleted and created again, or has lost records:
 * what was published is not there any more, and all of it has to be read and written again.
 */
final class OwnTopics {
    private final Map<Place, Long> ends = new LinkedHashMap<>();

    /** They end there now. */
    void end(Map<Place, Long> now) {
        now.forEach(this::reaches);
    }

    /** These records were written in one transaction, and the last of each place stands before that offset. */
    void wrote(List<WireRecord> records, Map<Place, Long> next) {
        next.forEach((place, end) -> {
            String topic = new Topic(place.table(), place.site()).name();
            long first = end
                    - records.stream()
                            .filter(record -> record.topic().equals(topic))
                            .count();
            reaches(place, first);
            ends.put(place, end);
        });
    }

    private void reaches(Place place, long end) {
        Long before = ends.get(place);
        if (before != null && end < before) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.WENT_BACK,
                    "table " + place + " ends at offset " + end + " and was written up to " + before
                            + ": its topic was created again, or has lost records",
                    null);
        }
        ends.put(place, end);
    }
}
