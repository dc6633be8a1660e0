package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Which sites there are, by their topics, and whether these can be read and written, by what the brokers say of them. */
public final class SiteWatch implements AutoCloseable {
    private static final int REPLICAS_WITH_QUORUM = 3;
    private static final int QUORUM = 2;

    private final Admin admin;
    private final Duration patience;

    public SiteWatch(KafkaSettings settings, Duration patience) {
        this.admin = Admin.create(settings.admin(patience));
        this.patience = patience;
    }

    /** Every site with all of its topics, and whether they can be used. A question to the brokers. */
    public SortedMap<SiteId, Boolean> look() {
        try {
            Map<SiteId, Set<String>> found =
                    sites(admin.listTopics().names().get(patience.toMillis(), TimeUnit.MILLISECONDS));
            found.entrySet()
                    .removeIf(site -> site.getValue().size()
                            < Topics.ofSite(site.getKey()).size());
            List<String> names = new ArrayList<>();
            found.values().forEach(names::addAll);
            Map<String, TopicDescription> described =
                    admin.describeTopics(names).allTopicNames().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            SortedMap<SiteId, Boolean> usable =
                    new TreeMap<>((one, other) -> one.name().compareTo(other.name()));
            found.forEach((site, topics) ->
                    usable.put(site, topics.stream().allMatch(name -> usable(described, name))));
            return usable;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new KafkaFailure(KafkaFailure.Kind.NO_TOPIC, "a topic went while it was looked at", failed);
            }
            throw KafkaFailure.of("look for sites", failed);
        } catch (TimeoutException | KafkaException failed) {
            throw KafkaFailure.of("look for sites", failed);
        }
    }

    private static Map<SiteId, Set<String>> sites(Collection<String> names) {
        Map<SiteId, Set<String>> sites = new HashMap<>();
        for (String name : names) {
            Topic topic = Topic.parse(name);
            if (topic != null && topic.site() != null) {
                sites.computeIfAbsent(topic.site(), absent -> new HashSet<>()).add(name);
            }
        }
        return sites;
    }

    private static boolean usable(Map<String, TopicDescription> described, String name) {
        TopicDescription topic = described.get(name);
        return topic != null && topic.partitions().stream().allMatch(SiteWatch::usable);
    }

    private static boolean usable(TopicPartitionInfo partition) {
        int needed = partition.replicas().size() >= REPLICAS_WITH_QUORUM ? QUORUM : 1;
        return partition.leader() != null
                && !partition.leader().isEmpty()
                && partition.isr().size() >= needed;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
