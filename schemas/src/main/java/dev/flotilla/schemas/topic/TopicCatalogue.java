package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The catalogue of topics, with the settings that make a table a table: set, not left to a broker's defaults. */
public final class TopicCatalogue {
    /** So many sites are supported; each has five topics. */
    public static final int MAX_SITES = 250;

    public static final int MAX_MESSAGE_BYTES = 256 * 1024;

    /** So large may key and value of a record be that we write: the rest is for its headers and the batch around it. */
    public static final int MAX_RECORD_BYTES = MAX_MESSAGE_BYTES - 8 * 1024;

    public static final int SEGMENT_BYTES = 16 * 1024 * 1024;
    /** No row of the past lies about longer than this before it may be compacted away. */
    public static final Duration COMPACTION_LAG = Duration.ofMinutes(10);
    /**
     * So long a row stays after a newer one has come: whoever reads tables as of one instant, within this time after it,
     * finds every row that belongs to it.
     */
    public static final Duration SUPERSEDED_STAYS = Duration.ofMinutes(5);
    /** How long a tombstone stays; a follower away for half of it drops the table and reads it again. */
    public static final Duration DELETE_RETENTION = Duration.ofDays(7);

    private static final String DIRTY_RATIO = "0.1";
    private static final short REPLICAS = 3;
    private static final String IN_SYNC = "2";
    private static final int BROKERS_FOR_REPLICAS = 3;

    private TopicCatalogue() {}

    /** The topics of the fleet. */
    public static List<Topic> fleetTopics() {
        List<Topic> topics = new ArrayList<>();
        for (Table table : Table.values()) {
            if (!table.isPerSite()) {
                topics.add(Topic.of(table));
            }
        }
        return topics;
    }

    /** The topics of one site. */
    public static List<Topic> siteTopics(SiteId site) {
        List<Topic> topics = new ArrayList<>();
        for (Table table : Table.values()) {
            if (table.isPerSite()) {
                topics.add(new Topic(table, site));
            }
        }
        return topics;
    }

    /** How many copies there are of each partition, in a Kafka of so many brokers. */
    public static short replicas(int brokers) {
        return brokers >= BROKERS_FOR_REPLICAS ? REPLICAS : 1;
    }

    /** The settings of a table's topics, in a Kafka of so many brokers. */
    public static SortedMap<String, String> settings(Table table, int brokers) {
        SortedMap<String, String> settings = new TreeMap<>(Map.of(
                "max.message.bytes",
                Integer.toString(MAX_MESSAGE_BYTES),
                "message.timestamp.type",
                "LogAppendTime",
                "min.insync.replicas",
                brokers >= BROKERS_FOR_REPLICAS ? IN_SYNC : "1",
                "unclean.leader.election.enable",
                "false"));
        if (table.compacted()) {
            String lag = Long.toString(COMPACTION_LAG.toMillis());
            settings.putAll(Map.of(
                    "cleanup.policy",
                    "compact",
                    "segment.bytes",
                    Integer.toString(SEGMENT_BYTES),
                    "segment.ms",
                    lag,
                    "max.compaction.lag.ms",
                    lag,
                    "min.compaction.lag.ms",
                    Long.toString(SUPERSEDED_STAYS.toMillis()),
                    "min.cleanable.dirty.ratio",
                    DIRTY_RATIO,
                    "delete.retention.ms",
                    Long.toString(DELETE_RETENTION.toMillis())));
        } else {
            // A log: whole chapters are deleted by whoever keeps it, when the policy's retention says so, and never by
            // the broker.
            settings.putAll(Map.of("cleanup.policy", "delete", "retention.ms", "-1", "retention.bytes", "-1"));
        }
        return Collections.unmodifiableSortedMap(settings);
    }
}
