package dev.flotilla.schemas.topic;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The catalogue of topics and their settings. All settings that matter are explicit, so no broker default applies. */
public final class TopicCatalogue {
    /** The number of supported sites; each has five topics. */
    public static final int MAX_SITES = 250;

    public static final int MAX_MESSAGE_BYTES = 256 * 1024;

    /** The maximum size of key and value of a written record; the rest is for its headers and its batch. */
    public static final int MAX_RECORD_BYTES = MAX_MESSAGE_BYTES - 8 * 1024;

    public static final int SEGMENT_BYTES = 16 * 1024 * 1024;
    /** How long a superseded row may stay before it is compacted. */
    public static final Duration MAX_COMPACTION_LAG = Duration.ofMinutes(10);
    /**
     * How long a superseded row stays at least, so that a reader that starts within this time after an instant finds every row
     * of that instant.
     */
    public static final Duration MIN_COMPACTION_LAG = Duration.ofMinutes(5);
    /** How long a tombstone stays; a follower that was away for half of this time drops the table and reads it again. */
    public static final Duration DELETE_RETENTION = Duration.ofDays(7);

    private static final String DIRTY_RATIO = "0.1";
    private static final short REPLICAS = 3;
    private static final String MIN_IN_SYNC_REPLICAS = "2";
    private static final int BROKERS_FOR_REPLICAS = 3;

    private TopicCatalogue() {}

    /** Returns the topics of the fleet. */
    public static List<Topic> fleetTopics() {
        List<Topic> topics = new ArrayList<>();
        for (Table table : Table.values()) {
            if (!table.isPerSite()) {
                topics.add(Topic.of(table));
            }
        }
        return topics;
    }

    /** Returns the topics of one site. */
    public static List<Topic> siteTopics(SiteId site) {
        List<Topic> topics = new ArrayList<>();
        for (Table table : Table.values()) {
            if (table.isPerSite()) {
                topics.add(new Topic(table, site));
            }
        }
        return topics;
    }

    /** Returns the replication factor for a number of brokers. */
    public static short replicas(int brokers) {
        return brokers >= BROKERS_FOR_REPLICAS ? REPLICAS : 1;
    }

    /** Returns the settings of a table's topics for a number of brokers. */
    public static SortedMap<String, String> settings(Table table, int brokers) {
        SortedMap<String, String> settings = new TreeMap<>(Map.of(
                "max.message.bytes",
                Integer.toString(MAX_MESSAGE_BYTES),
                "message.timestamp.type",
                "LogAppendTime",
                "min.insync.replicas",
                brokers >= BROKERS_FOR_REPLICAS ? MIN_IN_SYNC_REPLICAS : "1",
                "unclean.leader.election.enable",
                "false"));
        if (table.compacted()) {
            String lag = Long.toString(MAX_COMPACTION_LAG.toMillis());
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
                    Long.toString(MIN_COMPACTION_LAG.toMillis()),
                    "min.cleanable.dirty.ratio",
                    DIRTY_RATIO,
                    "delete.retention.ms",
                    Long.toString(DELETE_RETENTION.toMillis())));
        } else {
            // The broker must not delete records of a log: whole chapters are trimmed according to the policy's
            // retention.
            settings.putAll(Map.of("cleanup.policy", "delete", "retention.ms", "-1", "retention.bytes", "-1"));
        }
        return Collections.unmodifiableSortedMap(settings);
    }
}
