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
 * Partitions in which the end of what is committed stands still, since a transaction is open: what was written behind its
 * first record nobody sees, and nobody audits, until it ends.
 */
final class OpenTransactionDetector {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionDetector.class);

    /** An ordinary transaction has ended before. */
    private static final long TOLD_AFTER = 3_000;

    private final Map<TopicPartition, Sighting> seen = new HashMap<>();
    private List<String> describeBlocked = List.of();

    /** Where a partition stood still when it was looked at first. */
    private record Sighting(long offset, long since, boolean told) {}

    /**
     * Compares where partitions end.
     *
     * @param committed for who reads what is committed
     * @param written for who reads everything
     */
    void compare(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> written, long now) {
        List<String> all = new ArrayList<>();
        seen.keySet().removeIf(partition -> !isOpen(partition, committed, written));
        committed.forEach((partition, offset) -> {
            if (isOpen(partition, committed, written)) {
                Sighting before = seen.get(partition);
                Sighting same = before == null || before.offset() != offset ? new Sighting(offset, now, false) : before;
                boolean late = now - same.since() >= TOLD_AFTER;
                seen.put(partition, new Sighting(offset, same.since(), late));
                if (late) {
                    all.add(partition.topic() + " partition " + partition.partition() + " from offset " + offset
                            + " on");
                }
                if (late && !same.told()) {
                    LOG.atWarn()
                            .addKeyValue("topic", partition.topic())
                            .addKeyValue("offset", offset)
                            .log("an open transaction holds back what is written here");
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

    /** What is held back, in words. */
    List<String> describeBlocked() {
        return describeBlocked;
    }
}
