package dev.flotilla.runtime.kafka;

import dev.flotilla.runtime.kafka.TopicDrift.DriftSeverity;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares a topic as it is with the catalogue. Nobody is asked here. */
final class TopicComparison {
    /**
     * A topic as the brokers have it.
     *
     * @param replicas of the partition that has fewest
     */
    record ActualTopic(int partitions, int replicas, Map<String, String> settings) {}

    /** Which values of a setting could lose data. */
    private enum Danger {
        OTHER,
        LOWER,
        NONE
    }

    private record TopicSettingRule(Danger danger, String harm) {}

    private static final TopicSettingRule HARMLESS = new TopicSettingRule(Danger.NONE, "Nothing is lost by it");

    private static final Map<String, TopicSettingRule> RULES = Map.of(
            "cleanup.policy",
            new TopicSettingRule(Danger.OTHER, "The broker deletes what nobody has superseded"),
            "retention.ms",
            new TopicSettingRule(Danger.LOWER, "The broker deletes chapters before their keeper does"),
            "retention.bytes",
            new TopicSettingRule(Danger.LOWER, "The broker deletes chapters before their keeper does"),
            "min.insync.replicas",
            new TopicSettingRule(Danger.LOWER, "A commit that one broker alone has is lost with it"),
            "unclean.leader.election.enable",
            new TopicSettingRule(Danger.OTHER, "A broker that lags behind may lead, and what it lacks is gone"),
            "delete.retention.ms",
            new TopicSettingRule(Danger.LOWER, "A follower may miss a tombstone and keep what was removed"),
            "max.message.bytes",
            new TopicSettingRule(Danger.LOWER, "A row that is allowed to be larger can never be written"),
            "message.timestamp.type",
            new TopicSettingRule(Danger.NONE, "Clocks cannot be compared with the broker's"));

    private TopicComparison() {}

    static TopicDrift missingTopicDrift(Topic topic) {
        return new TopicDrift(
                topic,
                "exists",
                "missing",
                "there",
                DriftSeverity.COULD_LOSE_DATA,
                "Create it; if it was there before, find out who deleted it first",
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
                    "Keys may lie in two partitions, so no row is sure to be the newest, and partitions cannot be"
                            + " taken back. Stop its writers, copy the newest row of each key elsewhere, only then"
                            + " delete the topic, create it anew and copy the rows back",
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
                drifts.add(setting(topic, setting, is, shouldBe));
            }
        });
        return drifts;
    }

    private static TopicDrift setting(Topic topic, String setting, String is, String shouldBe) {
        TopicSettingRule topicSettingRule = RULES.getOrDefault(setting, HARMLESS);
        boolean more = topicSettingRule.danger() == Danger.LOWER && isMore(setting, is, shouldBe);
        boolean loses = topicSettingRule.danger() != Danger.NONE && !more;
        String command = "kafka-configs.sh --alter --entity-type topics --entity-name " + topic.name()
                + " --add-config " + setting + "=" + shouldBe;
        return new TopicDrift(
                topic,
                setting,
                is,
                shouldBe,
                loses ? DriftSeverity.COULD_LOSE_DATA : DriftSeverity.MERELY_DIFFERENT,
                more ? "It is more than needed, and left so" : topicSettingRule.harm() + ". Set it: " + command,
                !more);
    }

    private static boolean isMore(String setting, String is, String shouldBe) {
        return amount(setting, is) > amount(setting, shouldBe);
    }

    /** Retention knows -1 for no end. */
    private static long amount(String setting, String value) {
        if (value.isEmpty()) {
            return Long.MIN_VALUE;
        }
        long amount = Long.parseLong(value);
        return amount < 0 && setting.startsWith("retention.") ? Long.MAX_VALUE : amount;
    }
}
