package dev.flotilla.runtime.kafka;

import dev.flotilla.runtime.kafka.Drift.Harm;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares a topic as it is with the catalogue. Nobody is asked here. */
final class Comparison {
    /**
     * A topic as the brokers have it.
     *
     * @param replicas of the partition that has fewest
     */
    record Found(int partitions, int replicas, Map<String, String> settings) {}

    /** Which values of a setting could lose data. */
    private enum Danger {
        OTHER,
        LOWER,
        NONE
    }

    private record Rule(Danger danger, String harm) {}

    private static final Rule HARMLESS = new Rule(Danger.NONE, "Nothing is lost by it");

    private static final Map<String, Rule> RULES = Map.of(
            "cleanup.policy",
            new Rule(Danger.OTHER, "The broker deletes what nobody has superseded"),
            "retention.ms",
            new Rule(Danger.LOWER, "The broker deletes chapters before their keeper does"),
            "retention.bytes",
            new Rule(Danger.LOWER, "The broker deletes chapters before their keeper does"),
            "min.insync.replicas",
            new Rule(Danger.LOWER, "A commit that one broker alone has is lost with it"),
            "unclean.leader.election.enable",
            new Rule(Danger.OTHER, "A broker that lags behind may lead, and what it lacks is gone"),
            "delete.retention.ms",
            new Rule(Danger.LOWER, "A follower may miss a tombstone and keep what was removed"),
            "max.message.bytes",
            new Rule(Danger.LOWER, "A row that is allowed to be larger can never be written"),
            "message.timestamp.type",
            new Rule(Danger.NONE, "Clocks cannot be compared with the broker's"));

    private Comparison() {}

    static Drift missing(Topic topic) {
        return new Drift(
                topic,
                "exists",
                "missing",
                "there",
                Harm.COULD_LOSE_DATA,
                "Create it; if it was there before, find out who deleted it first",
                false);
    }

    static List<Drift> of(Topic topic, Found found, int brokers) {
        List<Drift> drifts = new ArrayList<>();
        int partitions = topic.table().partitions();
        if (found.partitions() != partitions) {
            drifts.add(new Drift(
                    topic,
                    "partitions",
                    Integer.toString(found.partitions()),
                    Integer.toString(partitions),
                    Harm.COULD_LOSE_DATA,
                    "Keys may lie in two partitions, so no row is sure to be the newest, and partitions cannot be"
                            + " taken back. Stop its writers, copy the newest row of each key elsewhere, only then"
                            + " delete the topic, create it anew and copy the rows back",
                    false));
        }
        int replicas = TopicCatalogue.replicas(brokers);
        if (found.replicas() != replicas) {
            drifts.add(new Drift(
                    topic,
                    "replication.factor",
                    Integer.toString(found.replicas()),
                    Integer.toString(replicas),
                    found.replicas() < replicas ? Harm.COULD_LOSE_DATA : Harm.MERELY_DIFFERENT,
                    "Move its replicas with kafka-reassign-partitions.sh",
                    false));
        }
        TopicCatalogue.settings(topic.table(), brokers).forEach((setting, shouldBe) -> {
            String is = found.settings().getOrDefault(setting, "");
            if (!is.equals(shouldBe)) {
                drifts.add(setting(topic, setting, is, shouldBe));
            }
        });
        return drifts;
    }

    private static Drift setting(Topic topic, String setting, String is, String shouldBe) {
        Rule rule = RULES.getOrDefault(setting, HARMLESS);
        boolean more = rule.danger() == Danger.LOWER && isMore(setting, is, shouldBe);
        boolean loses = rule.danger() != Danger.NONE && !more;
        String command = "kafka-configs.sh --alter --entity-type topics --entity-name " + topic.name()
                + " --add-config " + setting + "=" + shouldBe;
        return new Drift(
                topic,
                setting,
                is,
                shouldBe,
                loses ? Harm.COULD_LOSE_DATA : Harm.MERELY_DIFFERENT,
                more ? "It is more than needed, and left so" : rule.harm() + ". Set it: " + command,
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
