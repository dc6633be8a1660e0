package dev.flotilla.auditor.follow;

import dev.flotilla.auditor.check.JournalAudit;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.auditor.wire.TopicName;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all topics of Flotilla from their beginnings, or the journal from a chapter on, and those of new sites as they
 * appear. It joins no group and commits nothing, so the audited processes do not see it.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long DISCOVER_EVERY = 2000;
    private static final long ENDS_EVERY = 500;
    /** Far from any instant, and small enough that a difference does not overflow. */
    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    private static final long OPEN_EVERY = 1_000;

    private final Consumer<byte[], byte[]> consumer;
    /** Used for end offsets only, including uncommitted records. */
    private final Consumer<byte[], byte[]> uncommitted;

    private final OpenTransactionDetector open = new OpenTransactionDetector();
    private final JournalAudit journalAudit;
    private final LongSupplier clock;
    private Set<TopicPartition> assigned = new HashSet<>();
    /** The end offsets that were read last; everything before them must be read. */
    private Map<TopicPartition, Long> ends = new HashMap<>();

    private long discovered = LONG_AGO;
    private long asked = LONG_AGO;
    private long compared = LONG_AGO;
    private boolean caughtUp;
    private long lag;

    /** Follows with its own consumer. */
    public TopicFollower(AuditorKafkaSettings settings, JournalAudit journalAudit) {
        this(
                new KafkaConsumer<>(settings.consumer()),
                new KafkaConsumer<>(settings.uncommitted()),
                journalAudit,
                () -> System.nanoTime() / 1_000_000);
    }

    TopicFollower(
            Consumer<byte[], byte[]> consumer,
            Consumer<byte[], byte[]> uncommitted,
            JournalAudit journalAudit,
            LongSupplier clock) {
        this.consumer = consumer;
        this.uncommitted = uncommitted;
        this.journalAudit = journalAudit;
        this.clock = clock;
    }

    /**
     * Reads the list of topics for the first time; fails if no broker responds.
     *
     * @param fromChapter whether the journal is read from its newest complete chapter
     * @param patience how long a broker may take, which may just have started
     */
    public void startReading(boolean fromChapter, Duration patience) {
        discover(patience);
        TopicPartition journal = new TopicPartition(TopicName.JOURNAL, 0);
        Long chapter = fromChapter && assigned.contains(journal) ? chapter() : null;
        consumer.assign(assigned);
        consumer.seekToBeginning(assigned);
        if (chapter != null) {
            LOG.atInfo().addKeyValue("offset", chapter).log("journal reading started at a chapter");
            consumer.seek(journal, chapter);
        }
    }

    /** The offset of the newest complete chapter, from the head row; null if there is none. */
    private @Nullable Long chapter() {
        TopicPartition heads = new TopicPartition(TopicName.HEAD, 0);
        if (!assigned.contains(heads)) {
            return null;
        }
        consumer.assign(Set.of(heads));
        consumer.seekToBeginning(Set.of(heads));
        long end = consumer.endOffsets(Set.of(heads), ANSWER).getOrDefault(heads, 0L);
        Long chapter = null;
        long until = clock.getAsLong() + ANSWER.toMillis();
        while (consumer.position(heads, ANSWER) < end && clock.getAsLong() < until) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                FleetHead head = FleetHead.headAt(raw(record));
                if (head != null) {
                    chapter = head.chapter();
                }
            }
        }
        return chapter;
    }

    /** Polls once; returns the number of records. */
    public int pollRecords() {
        long now = clock.getAsLong();
        if (now - discovered >= DISCOVER_EVERY) {
            rediscover();
        }
        ConsumerRecords<byte[], byte[]> records = assigned.isEmpty() ? ConsumerRecords.empty() : consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : records) {
            journalAudit.process(raw(record));
        }
        look();
        return records.count();
    }

    private void rediscover() {
        try {
            discover(ANSWER);
        } catch (TimeoutException e) {
            discovered = clock.getAsLong();
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("topic list failed");
        }
    }

    private void discover(Duration patience) {
        Set<TopicPartition> found = new HashSet<>();
        Map<String, Integer> repartitioned = new TreeMap<>();
        for (Map.Entry<String, List<PartitionInfo>> topic :
                consumer.listTopics(patience).entrySet()) {
            TopicName ours = TopicName.parse(topic.getKey());
            if (ours != null) {
                if (topic.getValue().size() != ours.partitions()) {
                    repartitioned.put(topic.getKey(), topic.getValue().size());
                }
                for (PartitionInfo partition : topic.getValue()) {
                    found.add(new TopicPartition(partition.topic(), partition.partition()));
                }
            }
        }
        discovered = clock.getAsLong();
        if (!found.equals(assigned)) {
            LOG.atInfo().addKeyValue("partitions", found.size()).log("partitions assigned");
            repartitioned.forEach(journalAudit::repartitioned);
            consumer.assign(found);
            assigned = found;
            asked = LONG_AGO;
            ends = new HashMap<>();
            caughtUp = false;
        }
    }

    /** Reads end offsets again, or checks whether everything up to the last ones has been read. */
    private void look() {
        long now = clock.getAsLong();
        try {
            lag = toRead();
            if (!ends.isEmpty() && lag == 0) {
                journalAudit.caughtUp(now);
                caughtUp = true;
                ends = new HashMap<>();
            }
            if (ends.isEmpty() && now - asked >= ENDS_EVERY && !assigned.isEmpty()) {
                ends = consumer.endOffsets(assigned, ANSWER);
                asked = now;
            }
            if (now - compared >= OPEN_EVERY && !assigned.isEmpty()) {
                compared = now;
                open.compare(consumer.endOffsets(assigned, ANSWER), uncommitted.endOffsets(assigned, ANSWER), now);
            }
        } catch (TimeoutException e) {
            caughtUp = false;
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("end offset read failed");
        }
    }

    private long toRead() {
        long records = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            records += Math.max(0, end.getValue() - consumer.position(end.getKey(), ANSWER));
        }
        return records;
    }

    /** Records that must be read up to the last known end offsets; 0 if nothing is known. */
    public long lag() {
        return lag;
    }

    /** The partitions that an open transaction blocks, as text. */
    public List<String> describeBlocked() {
        return open.describeBlocked();
    }

    public boolean isCaughtUp() {
        return caughtUp;
    }

    /** The topics that are read. */
    public Set<String> topics() {
        Set<String> topics = new TreeSet<>();
        assigned.forEach(partition -> topics.add(partition.topic()));
        return topics;
    }

    private static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        }
        byte[] key = record.key();
        return new RawRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                key == null ? null : new String(key, StandardCharsets.UTF_8),
                headers,
                record.value());
    }

    /** Wakes the running step, which then fails with a {@code WakeupException}; any thread may call this. */
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
        uncommitted.close();
    }
}
