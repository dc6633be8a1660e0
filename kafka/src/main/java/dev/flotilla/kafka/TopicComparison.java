package dev.flotilla.kafka;

import dev.flotilla.kafka.TopicDrift.DriftSeverity;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares a topic with the catalogue. It is a pure function. */
final class TopicComparison {
    /**
     * A topic as the brokers describe it.
     *
     * @param replicas the replicas of the partition with the fewest
     */
    record ActualTopic(int partitions, int replicas, Map<String, String> settings) {}

    /** The values of a setting that could lose data. */
    private enum Danger {
        OTHER,
        LOWER,
        NONE
    }

    private record TopicSettingRule(Danger danger, String harm) {}

    private static final TopicSettingRule HARMLESS = new TopicSettingRule(Danger.NONE, "It loses no data");

    private static final Map<String, TopicSettingRule> RULES = Map.of(
            "cleanup.policy",
            new TopicSettingRule(Danger.OTHER, "The broker deletes rows that are still current"),
            "retention.ms",
            new TopicSettingRule(Danger.LOWER, "The broker deletes chapters that should be kept"),
            "retention.bytes",
            new TopicSettingRule(Danger.LOWER, "The broker deletes chapters that should be kept"),
            "min.insync.replicas",
            new TopicSettingRule(Danger.LOWER, "A commit that only one broker has is lost with that broker"),
            "unclean.leader.election.enable",
            new TopicSettingRule(
                    Danger.OTHER, "A replica that lags behind may become leader, and the records it lacks are lost"),
            "delete.retention.ms",
            new TopicSettingRule(Danger.LOWER, "A follower may miss a tombstone and keep a deleted row"),
            "max.message.bytes",
            new TopicSettingRule(Danger.LOWER, "Rows that are larger, but allowed, cannot be written"),
            "message.timestamp.type",
            new TopicSettingRule(Danger.NONE, "The leader cannot compare its clock with the broker's"));

    private TopicComparison() {}

    static TopicDrift missingTopicDrift(Topic topic) {
        return new TopicDrift(
                topic,
                "exists",
                "missing",
                "present",
                DriftSeverity.COULD_LOSE_DATA,
                "Create it; if it existed before, first find out who deleted it",
                false);
    }

    static List<TopicDrift> findDrifts(Topic topic, ActualTopic actualTopic, int brokers) {
        List<TopicDrift> drifts = new ArrayList<>();
        int partitions = topic.table().partitions();
        if (actualTopic.partitions() != partitions) {
            drifts.add(new TopicDrift(
                    topic,
                    "partitions",
                    Integer.toString(actualTopic.partitions()),
                    Integer.toString(partitions),
                    DriftSeverity.COULD_LOSE_DATA,
                    "A key may be in two partitions, so the newest row of a key is not certain, and partitions cannot be"
                            + " removed. Stop the writers, copy the newest row of each key elsewhere, then delete the topic,"
                            + " create it again and copy the rows back",
                    false));
        }
        int replicas = TopicCatalogue.replicas(brokers);
        if (actualTopic.replicas() != replicas) {
            drifts.add(new TopicDrift(
                    topic,
                    "replication.factor",
                    Integer.toString(actualTopic.replicas()),
                    Integer.toString(replicas),
                    actualTopic.replicas() < replicas ? DriftSeverity.COULD_LOSE_DATA : DriftSeverity.MERELY_DIFFERENT,
                    "Move its replicas with kafka-reassign-partitions.sh",
                    false));
        }
        TopicCatalogue.settings(topic.table(), brokers).forEach((setting, shouldBe) -> {
            String is = actualTopic.settings().getOrDefault(setting, "");
            if (!is.equals(shouldBe)) {
                drifts.add(compareSetting(topic, setting, is, shouldBe));
            }
        });
        return drifts;
    }

    private static TopicDrift compareSetting(Topic topic, String setting, String is, String shouldBe) {
        TopicSettingRule topicSettingRule = RULES.getOrDefault(setting, HARMLESS);
        boolean more = topicSettingRule.danger() == Danger.LOWER && isAtLeast(setting, is, shouldBe);
        boolean loses = topicSettingRule.danger() != Danger.NONE && !more;
        String command = "kafka-configs.sh --alter --entity-type topics --entity-name " + topic.name()
                + " --add-config " + setting + "=" + shouldBe;
        return new TopicDrift(
                topic,
                setting,
                is,
                shouldBe,
                loses ? DriftSeverity.COULD_LOSE_DATA : DriftSeverity.MERELY_DIFFERENT,
                more ? "It is more than needed and is not changed" : topicSettingRule.harm() + ". Set it: " + command,
                !more);
    }

    private static boolean isAtLeast(String setting, String is, String shouldBe) {
        return parseAmount(setting, is) > parseAmount(setting, shouldBe);
    }

    /** Returns the number of a setting; -1 of a retention is unlimited. */
    private static long parseAmount(String setting, String value) {
        if (value.isEmpty()) {
            return Long.MIN_VALUE;
        }
        long amount = Long.parseLong(value);
        return amount < 0 && setting.startsWith("retention.") ? Long.MAX_VALUE : amount;
    }
}
