package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/** Reads the state of the fleet's topics and consumer groups, for people who look for a problem. Changes nothing. */
public final class TopicStateReader implements AutoCloseable {
    private static final int NO_LEADER = -1;
    private static final long UNKNOWN = -1;

    private final BlockingAdminClient kafka;

    private TopicStateReader(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    /** Opens a client; it does not connect to a broker yet. */
    public static TopicStateReader connect(KafkaClientSettings settings, Duration deadline) {
        return new TopicStateReader(BlockingAdminClient.open(settings, deadline));
    }

    /** Reads the state of all topics of the fleet. */
    public List<TopicState> readTopics() {
        List<String> names = kafka
                .call("listing topics", admin -> admin.listTopics().names())
                .stream()
                .filter(name -> Topic.parse(name) != null)
                .sorted()
                .toList();
        Map<String, TopicDescription> shapes = kafka.callForEach(
                "describing topics", admin -> admin.describeTopics(names).topicNameValues());
        Map<ConfigResource, Config> settings = kafka.callForEach(
                "reading the settings of topics",
                admin -> admin.describeConfigs(
                                names.stream().map(TopicStateReader::resource).toList())
                        .values());
        List<TopicPartition> partitions = shapes.values().stream()
                .flatMap(shape -> shape.partitions().stream()
                        .filter(partition -> leader(partition) != NO_LEADER)
                        .map(partition -> new TopicPartition(shape.name(), partition.partition())))
                .toList();
        Map<TopicPartition, Long> first = offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> committed = offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
        Map<TopicPartition, Long> end = offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
        List<TopicState> states = new ArrayList<>();
        for (TopicDescription shape : shapes.values()) {
            List<TopicState.PartitionState> parts = shape.partitions().stream()
                    .map(partition -> {
                        TopicPartition at = new TopicPartition(shape.name(), partition.partition());
                        return new TopicState.PartitionState(
                                partition.partition(),
                                leader(partition),
                                ids(partition.replicas()),
                                ids(partition.isr()),
                                first.getOrDefault(at, UNKNOWN),
                                committed.getOrDefault(at, UNKNOWN),
                                end.getOrDefault(at, UNKNOWN));
                    })
                    .toList();
            states.add(new TopicState(shape.name(), changed(settings.get(resource(shape.name()))), parts));
        }
        return states;
    }

    /** Reads the state of all consumer groups of the fleet. */
    public List<ConsumerGroupState> readGroups() {
        List<String> groups = kafka
                .call("listing consumer groups", admin -> admin.listGroups().valid())
                .stream()
                .map(GroupListing::groupId)
                .filter(group -> group.startsWith(Topic.PREFIX))
                .sorted()
                .toList();
        Map<String, ConsumerGroupDescription> described = kafka.callForEach(
                "describing consumer groups",
                admin -> admin.describeConsumerGroups(groups).describedGroups());
        List<ConsumerGroupState> states = new ArrayList<>();
        described.forEach((group, description) -> states.add(new ConsumerGroupState(
                group, description.groupState().toString(), members(description), committedOffsets(group))));
        return states;
    }

    /** Reads the members of a consumer group; none if the group does not exist. */
    public List<ConsumerGroupState.GroupMember> readMembers(String group) {
        String what = "describing consumer group " + group;
        try {
            return kafka
                    .tryCall(
                            what,
                            admin ->
                                    admin.describeConsumerGroups(List.of(group)).all())
                    .values()
                    .stream()
                    .flatMap(described -> members(described).stream())
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
            throw kafka.failure(what, e.getCause());
        }
    }

    private static List<ConsumerGroupState.GroupMember> members(ConsumerGroupDescription group) {
        return group.members().stream()
                .sorted(Comparator.comparing(MemberDescription::consumerId))
                .map(TopicStateReader::member)
                .toList();
    }

    private SortedMap<String, Long> committedOffsets(String group) {
        SortedMap<String, Long> offsets = new TreeMap<>();
        kafka.call(
                        "reading the offsets of group " + group,
                        admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
                .forEach((partition, offset) -> {
                    if (offset != null) {
                        offsets.put(partition.toString(), offset.offset());
                    }
                });
        return offsets;
    }

    private static ConsumerGroupState.GroupMember member(MemberDescription member) {
        return new ConsumerGroupState.GroupMember(
                member.clientId(),
                member.host(),
                member.assignment().topicPartitions().stream()
                        .map(TopicPartition::toString)
                        .sorted()
                        .toList());
    }

    private Map<TopicPartition, Long> offsets(List<TopicPartition> of, OffsetSpec spec, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> wanted = new LinkedHashMap<>();
        of.forEach(partition -> wanted.put(partition, spec));
        Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
        kafka.callForEach("reading the offsets of topics", admin -> {
                    var listed = admin.listOffsets(wanted, new ListOffsetsOptions(isolation));
                    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> each = new LinkedHashMap<>();
                    wanted.keySet().forEach(partition -> each.put(partition, listed.partitionResult(partition)));
                    return each;
                })
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    private static Map<String, String> changed(@Nullable Config config) {
        Map<String, String> settings = new TreeMap<>();
        if (config != null) {
            config.entries().stream()
                    .filter(entry -> entry.source() != ConfigEntry.ConfigSource.DEFAULT_CONFIG && !entry.isSensitive())
                    .forEach(entry -> settings.put(entry.name(), Objects.requireNonNullElse(entry.value(), "")));
        }
        return settings;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static int leader(TopicPartitionInfo partition) {
        Node leader = partition.leader();
        return leader == null || leader.isEmpty() ? NO_LEADER : leader.id();
    }

    private static List<Integer> ids(List<Node> nodes) {
        return nodes.stream().map(Node::id).toList();
    }

    @Override
    public void close() {
        kafka.close();
    }
}
