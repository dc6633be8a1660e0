package dev.flotilla.kafka;

import dev.flotilla.schemas.topic.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * Reads descriptions of topics from a broker. A broker learns of a change after the controller has confirmed it, so a description
 * right after a change may be old; callers that wait for a change read until it shows.
 */
final class TopicDescriptionReader {
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final BlockingAdminClient kafka;

    TopicDescriptionReader(BlockingAdminClient kafka) {
        this.kafka = kafka;
    }

    Set<String> topicNames() {
        return kafka.call("listing topics", admin -> admin.listTopics().names());
    }

    /** Returns the descriptions of the topics that exist. */
    Map<Topic, TopicComparison.ActualTopic> describeTopics(Collection<Topic> topics) {
        Set<String> there = topicNames();
        List<Topic> known =
                topics.stream().filter(topic -> there.contains(topic.name())).toList();
        Map<String, TopicDescription> shapes = kafka.callForEach(
                "describing topics",
                admin -> admin.describeTopics(known.stream().map(Topic::name).toList())
                        .topicNameValues());
        Map<ConfigResource, Config> settings = kafka.callForEach(
                "reading the settings of topics",
                admin -> admin.describeConfigs(known.stream()
                                .map(TopicDescriptionReader::resource)
                                .toList())
                        .values());
        Map<Topic, TopicComparison.ActualTopic> found = new LinkedHashMap<>();
        for (Topic topic : known) {
            TopicDescription shape = shapes.get(topic.name());
            Config config = settings.get(resource(topic));
            if (shape != null && config != null) {
                found.put(topic, toActualTopic(shape, config));
            }
        }
        return found;
    }

    /** Reads until a condition holds or the time is over, and returns the last descriptions; the caller must check them. */
    Map<Topic, TopicComparison.ActualTopic> describeUntil(
            Collection<Topic> topics, Predicate<Map<Topic, TopicComparison.ActualTopic>> settled) {
        long begin = System.nanoTime();
        Map<Topic, TopicComparison.ActualTopic> found = describeTopics(topics);
        while (!settled.test(found) && System.nanoTime() - begin < SETTLE_TIMEOUT.toNanos()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            found = describeTopics(topics);
        }
        return found;
    }

    static ConfigResource resource(Topic topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
    }

    private static TopicComparison.ActualTopic toActualTopic(TopicDescription shape, Config config) {
        Map<String, String> settings = new TreeMap<>();
        for (ConfigEntry entry : config.entries()) {
            @Nullable String value = entry.value();
            if (value != null) {
                settings.put(entry.name(), value);
            }
        }
        int replicas = shape.partitions().stream()
                .map(partition -> partition.replicas().size())
                .min(Comparator.naturalOrder())
                .orElse(0);
        return new TopicComparison.ActualTopic(shape.partitions().size(), replicas, settings);
    }
}
