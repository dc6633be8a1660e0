package dev.flotilla.auditor.follow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects partitions in which an open transaction blocks committed reading: records after its first one are not
 * visible, and not audited, until it ends.
 */
final class OpenTransactionDetector {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionDetector.class);

    /** An ordinary transaction has ended by then. */
    private static final long REPORT_AFTER = 3_000;

    private final Map<TopicPartition, Sighting> seen = new HashMap<>();
    private List<String> describeBlocked = List.of();

    /** The committed end offset of a partition when it was first seen unchanged. */
    private record Sighting(long offset, long since, boolean reported) {}

    /**
     * Compares end offsets of partitions.
     *
     * @param committed for readers of committed records
     * @param written for readers of all records
     */
    void compare(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> written, long now) {
        List<String> all = new ArrayList<>();
        seen.keySet().removeIf(partition -> !isOpen(partition, committed, written));
        committed.forEach((partition, offset) -> {
            if (isOpen(partition, committed, written)) {
                Sighting before = seen.get(partition);
                Sighting same = before == null || before.offset() != offset ? new Sighting(offset, now, false) : before;
                boolean late = now - same.since() >= REPORT_AFTER;
                seen.put(partition, new Sighting(offset, same.since(), late));
                if (late) {
                    all.add(partition.topic() + " partition " + partition.partition() + " from offset " + offset
                            + " on");
                }
                if (late && !same.reported()) {
                    LOG.atWarn()
                            .addKeyValue("topic", partition.topic())
                            .addKeyValue("offset", offset)
                            .log("input blocked by an open transaction");
                }
            }
        });
        all.sort(Comparator.naturalOrder());
        describeBlocked = List.copyOf(all);
    }

    private static boolean isOpen(
            TopicPartition partition, Map<TopicPartition, Long> committed, Map<TopicPartition, Long> written) {
        Long stable = committed.get(partition);
        Long end = written.get(partition);
        return stable != null && end != null && end > stable;
    }

    /** The blocked partitions, as text. */
    List<String> describeBlocked() {
        return describeBlocked;
    }
}
