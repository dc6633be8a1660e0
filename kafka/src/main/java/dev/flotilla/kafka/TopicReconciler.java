package dev.flotilla.kafka;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the topics of the catalogue and compares existing ones with it. Calls block until a deadline and fail with a
 * {@link KafkaFailure}. It never deletes a topic and never lowers a setting that could be needed.
 */
public final class TopicReconciler implements AutoCloseable {
    /** The required transaction protocol. It fences an old leader's transaction, even if late writes of it arrive. */
    public static final int REQUIRED_TRANSACTION_VERSION = 2;

    private static final String TRANSACTION_VERSION = "transaction.version";

    private final BlockingAdminClient kafka;
    private final TopicDescriptionReader descriptions;

    private TopicReconciler(BlockingAdminClient kafka) {
        this.kafka = kafka;
        this.descriptions = new TopicDescriptionReader(kafka);
    }

    /** Opens a client; it does not connect to a broker yet. */
    public static TopicReconciler connect(KafkaClientSettings settings, Duration deadline) {
        return new TopicReconciler(BlockingAdminClient.open(settings, deadline));
    }

    /** Creates missing topics and returns them; existing topics stay unchanged. */
    public List<Topic> create(Collection<Topic> topics) {
        Set<String> there = descriptions.topicNames();
        int brokers = countBrokers();
        List<Topic> created = new ArrayList<>();
        for (Topic topic : topics) {
            if (!there.contains(topic.name()) && create(topic, brokers)) {
                created.add(topic);
            }
        }
        descriptions.describeUntil(created, found -> found.size() == created.size());
        return created;
    }

    /** Returns the differences between topics and the catalogue. */
    public List<TopicDrift> verify(Collection<Topic> topics) {
        int brokers = countBrokers();
        // A topic counts as missing if it stays missing: a broker may not know yet what another has created.
        Map<Topic, TopicComparison.ActualTopic> all =
                descriptions.describeUntil(topics, found -> found.size() == topics.size());
        List<TopicDrift> drifts = new ArrayList<>();
        for (Topic topic : topics) {
            TopicComparison.ActualTopic actualTopic = all.get(topic);
            drifts.addAll(
                    actualTopic == null
                            ? List.of(TopicComparison.missingTopicDrift(topic))
                            : TopicComparison.findDrifts(topic, actualTopic, brokers));
        }
        return drifts;
    }

    /** Corrects settings that can be changed without a loss of data, and returns the remaining differences for an operator. */
    public List<TopicDrift> fixDrifts(Collection<TopicDrift> drifts) {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        List<TopicDrift> left = new ArrayList<>();
        for (TopicDrift topicDrift : drifts) {
            if (topicDrift.fixable()) {
                Collection<AlterConfigOp> ofTopic = changes.computeIfAbsent(
                        TopicDescriptionReader.resource(topicDrift.topic()), topic -> new ArrayList<>());
                ofTopic.add(set(topicDrift.setting(), topicDrift.expected()));
            } else {
                left.add(topicDrift);
            }
        }
        if (!changes.isEmpty()) {
            kafka.call(
                    "changing settings of topics",
                    admin -> admin.incrementalAlterConfigs(changes).all());
            List<TopicDrift> fixable =
                    drifts.stream().filter(TopicDrift::fixable).toList();
            descriptions.describeUntil(
                    fixable.stream().map(TopicDrift::topic).distinct().toList(),
                    found -> fixable.stream().allMatch(topicDrift -> isFixed(topicDrift, found)));
        }
        return left;
    }

    /** Returns the transaction version that the whole cluster has finalized; 0 if there is none. */
    public int transactionVersion() {
        FinalizedVersionRange range = kafka.call(
                        "reading the cluster's features",
                        admin -> admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(TRANSACTION_VERSION);
        return range == null ? 0 : range.maxVersionLevel();
    }

    /** Throws if the cluster's transaction version is too low. */
    public void requireTransactions() {
        int level = transactionVersion();
        if (level < REQUIRED_TRANSACTION_VERSION) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.OTHER,
                    TRANSACTION_VERSION + " is " + level + " and must be at least " + REQUIRED_TRANSACTION_VERSION
                            + ", because a late write of an old leader could join a new leader's transaction: run all brokers"
                            + " on Kafka 4.0 or newer, then kafka-features.sh upgrade --feature " + TRANSACTION_VERSION
                            + "=" + REQUIRED_TRANSACTION_VERSION,
                    null);
        }
    }

    /** Returns the sites that have all their topics. */
    public SortedSet<SiteId> findCompleteSites() {
        Map<SiteId, Set<Table>> found = new TreeMap<>();
        for (String name : descriptions.topicNames()) {
            Topic topic = Topic.parse(name);
            SiteId site = topic == null ? null : topic.site();
            if (topic != null && site != null) {
                found.computeIfAbsent(site, first -> EnumSet.noneOf(Table.class))
                        .add(topic.table());
            }
        }
        return found.entrySet().stream()
                .filter(site -> site.getValue().size()
                        == TopicCatalogue.siteTopics(site.getKey()).size())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the topics that do not exist. */
    public List<Topic> findMissingTopics(Collection<Topic> topics) {
        Set<String> there = Set.copyOf(descriptions.topicNames());
        return topics.stream().filter(topic -> !there.contains(topic.name())).toList();
    }

    /** Returns the minimum time for which each topic keeps a superseded row. */
    public Map<Topic, Duration> minCompactionLags(Collection<Topic> topics) {
        Map<Topic, Duration> stay = new LinkedHashMap<>();
        descriptions
                .describeTopics(topics)
                .forEach((topic, actualTopic) -> stay.put(
                        topic,
                        Duration.ofMillis(Long.parseLong(
                                actualTopic.settings().getOrDefault(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, "0")))));
        return stay;
    }

    /** Returns the ids of the topics that exist. */
    public List<TopicId> readTopicIds(Collection<Topic> topics) {
        Map<String, TopicDescription> found = describe(topics);
        List<TopicId> ids = new ArrayList<>();
        for (Topic topic : topics) {
            TopicDescription description = found.get(topic.name());
            if (description != null) {
                ids.add(new TopicId(topic.table(), description.topicId().toString()));
            }
        }
        return ids;
    }

    private Map<String, TopicDescription> describe(Collection<Topic> topics) {
        return kafka.callForEach(
                "describing topics",
                admin -> admin.describeTopics(topics.stream().map(Topic::name).toList())
                        .topicNameValues());
    }

    /** Returns the number of brokers in the cluster. */
    public int countBrokers() {
        return kafka.call("counting brokers", admin -> admin.describeCluster().nodes())
                .size();
    }

    /** Returns the partitions of existing topics that have no leader or too few in-sync replicas. */
    public List<PartitionProblem> findPartitionProblems(Collection<Topic> topics) {
        Map<String, TopicDescription> shapes = describe(topics);
        List<PartitionProblem> troubles = new ArrayList<>();
        for (Topic topic : topics) {
            TopicDescription shape = shapes.get(topic.name());
            if (shape != null) {
                shape.partitions().stream()
                        .map(partition -> PartitionProblem.findProblem(topic, partition))
                        .filter(Objects::nonNull)
                        .forEach(troubles::add);
            }
        }
        return troubles;
    }

    @Override
    public void close() {
        kafka.close();
    }

    private boolean create(Topic topic, int brokers) {
        NewTopic asked = new NewTopic(topic.name(), topic.table().partitions(), TopicCatalogue.replicas(brokers))
                .configs(TopicCatalogue.settings(topic.table(), brokers));
        try {
            kafka.tryCall(
                    "creating " + topic,
                    admin -> admin.createTopics(List.of(asked)).all());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw kafka.failure("creating " + topic, e.getCause());
        }
    }

    private static boolean isFixed(TopicDrift topicDrift, Map<Topic, TopicComparison.ActualTopic> all) {
        TopicComparison.ActualTopic actualTopic = all.get(topicDrift.topic());
        return actualTopic != null
                && topicDrift.expected().equals(actualTopic.settings().get(topicDrift.setting()));
    }

    private static AlterConfigOp set(String setting, String value) {
        return new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
    }
}
