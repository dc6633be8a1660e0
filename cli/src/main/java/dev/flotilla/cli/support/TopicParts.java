package dev.flotilla.cli.support;

import dev.flotilla.cli.kafka.FleetKafkaClient;
import dev.flotilla.cli.kafka.TableSnapshot;
import dev.flotilla.cli.support.SupportBundle.ArchiveException;
import dev.flotilla.cli.support.SupportBundle.PartText;
import dev.flotilla.cli.terminal.JsonFormatter;
import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumerGroupState;
import dev.flotilla.kafka.TopicState;
import dev.flotilla.kafka.TopicStateReader;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The parts about Kafka: settings and offsets of the topics, how far the orchestrator lags behind, and the members of groups. */
final class TopicParts {
    private final FleetKafkaClient kafka;
    private final SupportBundle bundle;

    TopicParts(FleetKafkaClient kafka, SupportBundle bundle) {
        this.kafka = kafka;
        this.bundle = bundle;
    }

    /** Adds all parts. Returns false if no broker answers. */
    boolean addAll() throws ArchiveException {
        bundle.announce("topics");
        boolean answers = bundle.add(
                "kafka/brokers.json",
                "bootstrap addresses, number of brokers, transaction.version",
                () -> PartText.of(new JsonObjectReader.Builder()
                        .put("bootstrap", kafka.brokers())
                        .put("brokers", kafka.topics().countBrokers())
                        .put("transactionVersion", kafka.topics().transactionVersion())
                        .build()));
        if (!answers) {
            return false;
        }
        bundle.add("kafka/topics.json", "settings, replicas and offsets of the topics, and what is undecided", () -> {
            try (TopicStateReader reader = kafka.topicStateReader()) {
                TableSnapshot tables = readTables();
                return PartText.of(JsonFormatter.list(reader.readTopics().stream()
                        .map(topic -> json(topic, tables))
                        .toList()));
            }
        });
        bundle.add("kafka/groups.json", "consumer groups with members and partitions", () -> {
            try (TopicStateReader reader = kafka.topicStateReader()) {
                return PartText.of(JsonFormatter.list(
                        reader.readGroups().stream().map(TopicParts::json).toList()));
            }
        });
        return true;
    }

    /** The tables, without which the offsets are worth having too. */
    private @Nullable TableSnapshot readTables() {
        try {
            return kafka.readAll();
        } catch (RuntimeException unreadable) {
            return null;
        }
    }

    private static JsonValue json(TopicState topic, @Nullable TableSnapshot tables) {
        JsonObjectReader.Builder settings = new JsonObjectReader.Builder();
        topic.settings().forEach(settings::put);
        return new JsonObjectReader.Builder()
                .put("topic", topic.topic())
                .put("settings", settings.build())
                .put(
                        "partitions",
                        JsonFormatter.list(topic.partitions().stream()
                                .map(partition -> json(topic.topic(), partition, tables))
                                .toList()))
                .build();
    }

    private static JsonValue json(String name, TopicState.PartitionState partition, @Nullable TableSnapshot tables) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder()
                .put("partition", partition.partition())
                .put("leader", partition.leader())
                .put("replicas", partition.replicas().toString())
                .put("inSync", partition.inSync().toString())
                .put("firstOffset", partition.firstOffset())
                .put("committedEnd", partition.committedEnd())
                .put("end", partition.end());
        Topic topic = Topic.parse(name);
        if (topic != null && tables != null && OrchestratorPartitions.isInput(topic.table())) {
            long decided = ConsistentCut.decidedUpTo(
                    tables.head(),
                    tables.siteHeads(),
                    new TablePartition(topic.table(), topic.site(), partition.partition()));
            json.put("decidedUpTo", decided).put("lag", Math.max(0, partition.committedEnd() - decided));
        }
        return json.build();
    }

    private static JsonValue json(ConsumerGroupState group) {
        return new JsonObjectReader.Builder()
                .put("group", group.group())
                .put("state", group.state())
                .put(
                        "members",
                        JsonFormatter.list(group.members().stream()
                                .map(member -> new JsonObjectReader.Builder()
                                        .put("clientId", member.clientId())
                                        .put("host", member.host())
                                        .put("partitions", member.partitions())
                                        .build())
                                .toList()))
                .put("committedOffsets", numbers(group.offsets()))
                .build();
    }

    private static JsonValue numbers(SortedMap<String, Long> numbers) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder();
        for (Map.Entry<String, Long> each : numbers.entrySet()) {
            json.put(each.getKey(), each.getValue());
        }
        return json.build();
    }
}
