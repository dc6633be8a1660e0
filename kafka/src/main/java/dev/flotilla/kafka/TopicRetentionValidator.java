package dev.flotilla.kafka;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the brokers may delete rows of tables or have done so. Compaction keeps the newest row of each key and never changes
 * the first offset of a topic. The journal is not checked, because its whole chapters are deleted on purpose.
 */
final class TopicRetentionValidator {
    private record RetentionRule(String value, String harm) {}

    private static final SortedMap<String, RetentionRule> RULES = new TreeMap<>(Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            new RetentionRule(
                    TopicConfig.CLEANUP_POLICY_COMPACT, "otherwise the brokers may delete the newest row of a key"),
            TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG,
            new RetentionRule("false", "otherwise a replica that lacks rows may become leader")));

    private record CheckedTopic(@Nullable String unsafe, boolean trimmed) {}

    private static final CheckedTopic UNKNOWN = new CheckedTopic(null, false);
    private static final Config NONE = new Config(List.of());

    private final Admin admin;
    private final Duration patience;
    private final Map<Uuid, CheckedTopic> results = new HashMap<>();

    TopicRetentionValidator(Admin admin, Duration patience) {
        this.admin = admin;
        this.patience = patience;
    }

    /** Forgets all results, so that they are read again. */
    void forget() {
        results.clear();
    }

    /** Describes the unsafe setting of a topic; null if its settings are safe. */
    @Nullable
    String retentionProblem(TopicDescription topic) {
        return results.getOrDefault(topic.topicId(), UNKNOWN).unsafe();
    }

    /** Whether the first records of a table were deleted. */
    boolean isTruncated(TopicDescription topic) {
        return results.getOrDefault(topic.topicId(), UNKNOWN).trimmed();
    }

    /** Reads the settings of topics that were not read yet. A site's topic without a response is read later and does not delay others. */
    void refreshTopics(Collection<TopicDescription> topics)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<TopicDescription> fresh = topics.stream()
                .filter(topic -> isTable(topic) && !results.containsKey(topic.topicId()))
                .toList();
        if (fresh.isEmpty()) {
            return;
        }
        Map<ConfigResource, KafkaFuture<Config>> settings = admin.describeConfigs(
                        fresh.stream().map(TopicRetentionValidator::resource).toList())
                .values();
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        fresh.forEach(topic -> partitions(topic).forEach(each -> wanted.put(each, OffsetSpec.earliest())));
        ListOffsetsResult begins = admin.listOffsets(wanted);
        for (TopicDescription topic : fresh) {
            try {
                Config config = get(settings.getOrDefault(resource(topic), KafkaFuture.completedFuture(NONE)));
                results.put(
                        topic.topicId(), new CheckedTopic(retentionProblem(topic, config), isTruncated(topic, begins)));
            } catch (ExecutionException | TimeoutException failed) {
                Topic known = Topic.parse(topic.name());
                if (known == null || known.site() == null) {
                    throw failed;
                }
                results.put(topic.topicId(), UNKNOWN);
            }
        }
    }

    private boolean isTruncated(TopicDescription topic, ListOffsetsResult begins)
            throws InterruptedException, ExecutionException, TimeoutException {
        for (TopicPartition partition : partitions(topic)) {
            if (get(begins.partitionResult(partition)).offset() > 0) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String retentionProblem(TopicDescription topic, Config config) {
        for (Map.Entry<String, RetentionRule> each : RULES.entrySet()) {
            ConfigEntry is = config.get(each.getKey());
            RetentionRule retentionRule = each.getValue();
            if (is != null && !retentionRule.value().equals(is.value())) {
                return "topic " + topic.name() + " has " + each.getKey() + "=" + is.value() + "; it must be "
                        + retentionRule.value() + ": " + retentionRule.harm();
            }
        }
        return null;
    }

    private <T> T get(KafkaFuture<T> asked) throws InterruptedException, ExecutionException, TimeoutException {
        return asked.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static boolean isTable(TopicDescription topic) {
        Topic known = Topic.parse(topic.name());
        return known != null && known.table().compacted() && known.table() != Table.LEADER;
    }

    private static List<TopicPartition> partitions(TopicDescription topic) {
        List<TopicPartition> partitions = new ArrayList<>();
        topic.partitions().forEach(each -> partitions.add(new TopicPartition(topic.name(), each.partition())));
        return partitions;
    }

    private static ConfigResource resource(TopicDescription topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    }
}
