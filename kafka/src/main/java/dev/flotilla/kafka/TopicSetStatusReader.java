package dev.flotilla.kafka;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the status of the topics of the fleet and of all sites from the brokers. First offsets and settings are more expensive, so
 * they are read less often: at once for new topics, then only every few times.
 */
public final class TopicSetStatusReader implements AutoCloseable {
    /** The number of reads after which everything is read again. */
    private static final int FULL_READ_INTERVAL = 10;

    private static final int REPLICAS_WITH_QUORUM = 3;
    private static final int QUORUM = 2;

    private final Admin admin;
    private final Duration patience;
    private final TopicRetentionValidator retentionValidator;
    private int reads;

    public TopicSetStatusReader(KafkaClientSettings settings, Duration patience) {
        this.admin = Admin.create(settings.admin(patience));
        this.patience = patience;
        this.retentionValidator = new TopicRetentionValidator(admin, patience);
    }

    /** Reads the full status of all topics. */
    public TopicSetStatuses readStatusesWithSettings() {
        retentionValidator.forget();
        reads = 0;
        return readStatuses();
    }

    /** Reads the status of all topics from the brokers. */
    public TopicSetStatuses readStatuses() {
        reads++;
        if (reads % FULL_READ_INTERVAL == 0) {
            retentionValidator.forget();
        }
        try {
            Set<String> listed = admin.listTopics().names().get(patience.toMillis(), TimeUnit.MILLISECONDS);
            SortedSet<SiteId> sites = sites(listed);
            List<Topic> all = new ArrayList<>(TopicCatalogue.fleetTopics());
            sites.forEach(site -> all.addAll(TopicCatalogue.siteTopics(site)));
            Map<String, TopicDescription> described = describe(
                    all.stream().map(Topic::name).filter(listed::contains).toList());
            retentionValidator.refreshTopics(described.values());
            SortedMap<SiteId, TopicSetStatus> bySite =
                    new TreeMap<>((one, other) -> one.name().compareTo(other.name()));
            sites.forEach(site -> bySite.put(site, inspect(TopicCatalogue.siteTopics(site), described)));
            return new TopicSetStatuses(inspect(TopicCatalogue.fleetTopics(), described), bySite);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new KafkaFailure(KafkaFailure.Kind.OTHER, "interrupted", interrupted);
        } catch (ExecutionException | TimeoutException | KafkaException failed) {
            throw KafkaFailure.of("listing the sites' topics", failed);
        }
    }

    private static SortedSet<SiteId> sites(Collection<String> names) {
        SortedSet<SiteId> sites = new TreeSet<>((one, other) -> one.name().compareTo(other.name()));
        for (String name : names) {
            Topic topic = Topic.parse(name);
            if (topic != null && topic.site() != null) {
                sites.add(topic.site());
            }
        }
        return sites;
    }

    /** Returns the existing topics; a topic that is deleted during the request counts as missing. */
    private Map<String, TopicDescription> describe(List<String> names)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, TopicDescription> described = new HashMap<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> each :
                admin.describeTopics(names).topicNameValues().entrySet()) {
            try {
                described.put(each.getKey(), each.getValue().get(patience.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failed;
                }
            }
        }
        return described;
    }

    private TopicSetStatus inspect(List<Topic> topics, Map<String, TopicDescription> described) {
        List<TopicId> ids = new ArrayList<>();
        boolean complete = true;
        String fault = null;
        String repartitioned = null;
        String unsafe = null;
        List<Table> trimmed = new ArrayList<>();
        for (Topic topic : topics) {
            TopicDescription found = described.get(topic.name());
            if (found != null) {
                ids.add(new TopicId(topic.table(), found.topicId().toString()));
                unsafe = unsafe == null ? retentionValidator.retentionProblem(found) : unsafe;
                if (retentionValidator.isTruncated(found)) {
                    trimmed.add(topic.table());
                }
            }
            complete &= found != null;
            fault = fault == null ? fault(topic, found) : fault;
            repartitioned = repartitioned == null ? repartitioned(topic, found) : repartitioned;
        }
        fault = unsafe == null ? fault : unsafe;
        return new TopicSetStatus(
                ids, complete, repartitioned == null ? fault : repartitioned, repartitioned, unsafe, trimmed);
    }

    private static @Nullable String fault(Topic topic, @Nullable TopicDescription found) {
        if (found == null) {
            return "topic " + topic.name() + " is missing or hidden by an ACL";
        }
        for (TopicPartitionInfo partition : found.partitions()) {
            if (!isUsable(partition)) {
                return "partition " + partition.partition() + " of topic " + topic.name()
                        + " has no leader or too few in-sync replicas";
            }
        }
        return null;
    }

    private static @Nullable String repartitioned(Topic topic, @Nullable TopicDescription found) {
        int partitions = topic.table().partitions();
        return found == null || found.partitions().size() == partitions
                ? null
                : "topic " + topic.name() + " has " + found.partitions().size() + " partitions and must have "
                        + partitions;
    }

    private static boolean isUsable(TopicPartitionInfo partition) {
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
