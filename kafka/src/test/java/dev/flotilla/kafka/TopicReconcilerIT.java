package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.flotilla.kafka.TopicDrift.DriftSeverity;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.FreePorts;
import dev.flotilla.testkit.kafka.KafkaOptions;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TopicReconcilerIT {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private static LocalKafka kafka;
    private static TopicReconciler keeper;
    private static Admin admin;

    @BeforeAll
    static void start() {
        kafka = LocalKafka.start();
        keeper = TopicReconciler.connect(KafkaClientSettings.forLocalBroker(kafka.bootstrap()), DEADLINE);
        admin = Admin.create(kafka.superUser());
    }

    @AfterAll
    static void stop() {
        admin.close();
        keeper.close();
        kafka.close();
    }

    @Test
    void createsTopicsWithTheirSettingsAndIsIdempotent() throws Exception {
        List<Topic> topics = new ArrayList<>(TopicCatalogue.fleetTopics());
        topics.addAll(TopicCatalogue.siteTopics(new SiteId("created")));
        assertThat(keeper.create(topics)).containsExactlyElementsOf(topics);
        for (Topic topic : topics) {
            Config config = config(topic);
            TopicCatalogue.settings(topic.table(), 1).forEach((setting, value) -> {
                assertThat(config.get(setting).value())
                        .as(topic + " " + setting)
                        .isEqualTo(value);
                assertThat(config.get(setting).source()).isEqualTo(ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
            });
        }
        assertThat(keeper.verify(topics)).isEmpty();
        assertThat(keeper.create(topics)).isEmpty();
        assertThat(keeper.verify(topics)).isEmpty();
    }

    @Test
    void explainsDriftAndFixesHarmlessSettings() throws Exception {
        SiteId site = new SiteId("drifting");
        Topic status = new Topic(Table.STATUS, site);
        Topic commands = new Topic(Table.COMMANDS, site);
        Topic progress = new Topic(Table.PROGRESS, site);
        keeper.create(List.of(status, commands));
        set(status, Map.of("cleanup.policy", "delete", "max.message.bytes", "1048588", "segment.ms", "3600000"));
        admin.createPartitions(Map.of(commands.name(), NewPartitions.increaseTo(5)))
                .all()
                .get(20, TimeUnit.SECONDS);
        until(() -> partitions(commands) == 5);

        List<TopicDrift> drifts = keeper.verify(List.of(status, commands, progress));
        assertThat(drifts)
                .extracting(TopicDrift::topic, TopicDrift::setting, TopicDrift::actual, TopicDrift::severity)
                .containsExactlyInAnyOrder(
                        tuple(status, "cleanup.policy", "delete", DriftSeverity.COULD_LOSE_DATA),
                        tuple(status, "max.message.bytes", "1048588", DriftSeverity.MERELY_DIFFERENT),
                        tuple(status, "segment.ms", "3600000", DriftSeverity.MERELY_DIFFERENT),
                        tuple(commands, "partitions", "5", DriftSeverity.COULD_LOSE_DATA),
                        tuple(progress, "exists", "missing", DriftSeverity.COULD_LOSE_DATA));
        System.out.println("Drift, as reported:");
        drifts.forEach(topicDrift -> System.out.println("  " + topicDrift));

        List<TopicDrift> left = keeper.fixDrifts(drifts);
        assertThat(left)
                .extracting(TopicDrift::setting)
                .containsExactlyInAnyOrder("max.message.bytes", "partitions", "exists");
        assertThat(keeper.verify(List.of(status, commands, progress))).containsExactlyInAnyOrderElementsOf(left);
    }

    @Test
    void findsSitesWithAllTheirTopics() {
        keeper.create(TopicCatalogue.siteTopics(new SiteId("whole")));
        keeper.create(TopicCatalogue.siteTopics(new SiteId("half")).subList(0, 3));
        assertThat(keeper.findCompleteSites()).contains(new SiteId("whole")).doesNotContain(new SiteId("half"));
    }

    @Test
    void currentClusterHasTheRequiredTransactionVersion() {
        assertThat(keeper.transactionVersion()).isEqualTo(TopicReconciler.REQUIRED_TRANSACTION_VERSION);
        keeper.requireTransactions();
    }

    @Test
    void rejectsClusterWithOldTransactionVersion() {
        KafkaOptions old = KafkaOptions.defaults().withFeature("transaction.version", 1);
        try (LocalKafka other = LocalKafka.start(old);
                TopicReconciler its =
                        TopicReconciler.connect(KafkaClientSettings.forLocalBroker(other.bootstrap()), DEADLINE)) {
            assertThatThrownBy(its::requireTransactions)
                    .isInstanceOf(KafkaFailure.class)
                    .hasMessageContaining("kafka-features.sh upgrade");
        }
    }

    @Test
    void threeBrokersHaveThreeReplicasOfWhichTwoAreInSync() throws Exception {
        try (LocalKafka three = LocalKafka.start(KafkaOptions.defaults().withBrokers(3));
                TopicReconciler its =
                        TopicReconciler.connect(KafkaClientSettings.forLocalBroker(three.bootstrap()), DEADLINE)) {
            List<Topic> topics = TopicCatalogue.siteTopics(new SiteId("a"));
            its.create(topics);
            assertThat(its.verify(topics)).isEmpty();
            try (Admin client = Admin.create(three.superUser())) {
                Topic status = new Topic(Table.STATUS, new SiteId("a"));
                assertThat(client.describeTopics(List.of(status.name()))
                                .allTopicNames()
                                .get(20, TimeUnit.SECONDS)
                                .get(status.name())
                                .partitions()
                                .getFirst()
                                .replicas())
                        .hasSize(3);
            }
        }
    }

    @Test
    void reportsUnreachableBrokerSoonWithItsAddress() {
        String unused = "127.0.0.1:" + FreePorts.next();
        assertUnreachable(unused, "accepts no connection");
    }

    @Test
    void reportsServerThatIsNoBroker() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertUnreachable("127.0.0.1:" + silent.getLocalPort(), "accepts connections but does not answer");
        }
    }

    private static void assertUnreachable(String address, String because) {
        Instant begin = Instant.now();
        try (TopicReconciler its =
                TopicReconciler.connect(KafkaClientSettings.forLocalBroker(address), Duration.ofSeconds(2))) {
            assertThatThrownBy(its::findCompleteSites)
                    .isInstanceOfSatisfying(
                            KafkaFailure.class,
                            failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.UNREACHABLE))
                    .hasMessageContaining(address)
                    .hasMessageContaining(because);
        }
        assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(10));
    }

    private static Config config(Topic topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
        return admin.describeConfigs(List.of(resource))
                .all()
                .get(20, TimeUnit.SECONDS)
                .get(resource);
    }

    private static void set(Topic topic, Map<String, String> settings) throws Exception {
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, topic.name()),
                        settings.entrySet().stream()
                                .map(setting -> new AlterConfigOp(
                                        new ConfigEntry(setting.getKey(), setting.getValue()),
                                        AlterConfigOp.OpType.SET))
                                .toList()))
                .all()
                .get(20, TimeUnit.SECONDS);
        until(() -> shows(config(topic), settings));
    }

    private static boolean shows(Config config, Map<String, String> settings) {
        return settings.entrySet().stream()
                .allMatch(setting -> config.get(setting.getKey()).value().equals(setting.getValue()));
    }

    private static int partitions(Topic topic) throws Exception {
        return admin.describeTopics(List.of(topic.name()))
                .allTopicNames()
                .get(20, TimeUnit.SECONDS)
                .get(topic.name())
                .partitions()
                .size();
    }

    /** Waits for a condition, because a broker learns of a change after the controller has confirmed it. */
    private static void until(Callable<Boolean> shown) throws Exception {
        Instant end = Instant.now().plus(DEADLINE);
        while (!shown.call()) {
            assertThat(Instant.now()).isBefore(end);
        }
    }
}
