package dev.flotilla.runtime.kafka;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
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
 * Creates the topics of the catalogue, and sees whether they still are what it says. Every call blocks until a deadline
 * and fails with an {@link KafkaFailure}. It never deletes a topic, and never lowers what could be needed.
 */
public final class TopicKeeper implements AutoCloseable {
    /** The transaction protocol that ends what an old leader has begun, whatever it sends later. */
    public static final int TRANSACTIONS = 2;

    private static final String TRANSACTION_VERSION = "transaction.version";

    private final AdminConnection kafka;
    private final TopicLook look;

    private TopicKeeper(AdminConnection kafka) {
        this.kafka = kafka;
        this.look = new TopicLook(kafka);
    }

    /** Opens a client; no broker is asked yet. */
    public static TopicKeeper connect(KafkaSettings settings, Duration deadline) {
        return new TopicKeeper(AdminConnection.open(settings, deadline));
    }

    /** Creates those that are missing and returns them; the ones that exist stay as they are. */
    public List<Topic> create(Collection<Topic> topics) {
        Set<String> there = look.names();
        int brokers = brokers();
        List<Topic> created = new ArrayList<>();
        for (Topic topic : topics) {
            if (!there.contains(topic.name()) && create(topic, brokers)) {
                created.add(topic);
            }
        }
        look.until(created, found -> found.size() == created.size());
        return created;
    }

    /** What about these topics is not as the catalogue has it. */
    public List<Drift> verify(Collection<Topic> topics) {
        int brokers = brokers();
        // A topic is missing when it stays so: one broker may not have heard yet of what another has created.
        Map<Topic, Comparison.Found> all = look.until(topics, found -> found.size() == topics.size());
        List<Drift> drifts = new ArrayList<>();
        for (Topic topic : topics) {
            Comparison.Found found = all.get(topic);
            drifts.addAll(found == null ? List.of(Comparison.missing(topic)) : Comparison.of(topic, found, brokers));
        }
        return drifts;
    }

    /** Sets what can be set without taking anything away, and returns what is left for a person. */
    public List<Drift> mend(Collection<Drift> drifts) {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        List<Drift> left = new ArrayList<>();
        for (Drift drift : drifts) {
            if (drift.mendable()) {
                Collection<AlterConfigOp> ofTopic =
                        changes.computeIfAbsent(TopicLook.resource(drift.topic()), topic -> new ArrayList<>());
                ofTopic.add(set(drift.setting(), drift.shouldBe()));
            } else {
                left.add(drift);
            }
        }
        if (!changes.isEmpty()) {
            kafka.call(
                    "setting topics",
                    admin -> admin.incrementalAlterConfigs(changes).all());
            List<Drift> mended = drifts.stream().filter(Drift::mendable).toList();
            look.until(
                    mended.stream().map(Drift::topic).distinct().toList(),
                    found -> mended.stream().allMatch(drift -> isMended(drift, found)));
        }
        return left;
    }

    /** The level of transactions that the whole cluster has agreed on; 0 where it knows of none. */
    public int transactionVersion() {
        FinalizedVersionRange range = kafka.call(
                        "reading the features",
                        admin -> admin.describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get(TRANSACTION_VERSION);
        return range == null ? 0 : range.maxVersionLevel();
    }

    /** Refuses a cluster on whose transactions nothing can rest. */
    public void requireTransactions() {
        int level = transactionVersion();
        if (level < TRANSACTIONS) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.OTHER,
                    TRANSACTION_VERSION + " is " + level + ", and below " + TRANSACTIONS
                            + " a late write of an old leader can slip into a new one's transaction: run all brokers on"
                            + " Kafka 4.0 or newer, then kafka-features.sh upgrade --feature " + TRANSACTION_VERSION
                            + "=" + TRANSACTIONS,
                    null);
        }
    }

    /** The sites that have all their topics. */
    public SortedSet<SiteId> sites() {
        Map<SiteId, Set<Table>> found = new TreeMap<>();
        for (String name : look.names()) {
            Topic topic = Topic.parse(name);
            SiteId site = topic == null ? null : topic.site();
            if (topic != null && site != null) {
                found.computeIfAbsent(site, first -> EnumSet.noneOf(Table.class))
                        .add(topic.table());
            }
        }
        return found.entrySet().stream()
                .filter(site ->
                        site.getValue().size() == TopicCatalogue.siteTopics(site.getKey()).size())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of these topics that there are not. */
    public List<Topic> missing(Collection<Topic> topics) {
        Set<String> there = Set.copyOf(look.names());
        return topics.stream().filter(topic -> !there.contains(topic.name())).toList();
    }

    /** How long each of these topics surely keeps a row after a newer one of its key has come. */
    public Map<Topic, Duration> supersededStay(Collection<Topic> topics) {
        Map<Topic, Duration> stay = new LinkedHashMap<>();
        look.at(topics)
                .forEach((topic, found) -> stay.put(
                        topic,
                        Duration.ofMillis(Long.parseLong(
                                found.settings().getOrDefault(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, "0")))));
        return stay;
    }

    /** The ids of these topics, of those that are there. */
    public List<TopicId> ids(Collection<Topic> topics) {
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

    /** How many brokers the cluster has now. */
    public int brokers() {
        return kafka.call("counting brokers", admin -> admin.describeCluster().nodes())
                .size();
    }

    /** The partitions of these topics, as far as they exist, that have no leader or too few replicas in sync. */
    public List<PartitionTrouble> troubles(Collection<Topic> topics) {
        Map<String, TopicDescription> shapes = describe(topics);
        List<PartitionTrouble> troubles = new ArrayList<>();
        for (Topic topic : topics) {
            TopicDescription shape = shapes.get(topic.name());
            if (shape != null) {
                shape.partitions().stream()
                        .map(partition -> PartitionTrouble.of(topic, partition))
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

    private static boolean isMended(Drift drift, Map<Topic, Comparison.Found> all) {
        Comparison.Found found = all.get(drift.topic());
        return found != null && drift.shouldBe().equals(found.settings().get(drift.setting()));
    }

    private static AlterConfigOp set(String setting, String value) {
        return new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET);
    }
}
