package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.TopicReconciler;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a fleet in which topics of a site are deleted, partly deleted, or created again. */
class SiteTopicLifecycleIT {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final SiteId HALF = new SiteId("half");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Deque<ReplicaRole> standings = new ConcurrentLinkedDeque<>();
    private final Deque<String> refusals = new ConcurrentLinkedDeque<>();
    private LocalKafka kafka;
    private TableActorsFixture tableActorsFixture;
    private OrchestratorReplicas orchestratorReplicas;

    @BeforeEach
    void begin() {
        kafka = LocalKafka.start();
        tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST, WEST));
        orchestratorReplicas = new OrchestratorReplicas(kafka.bootstrap(), new SilentLoopListener() {
            @Override
            public void roleChanged(ReplicaRole replicaRole, String why) {
                standings.add(replicaRole);
                if (replicaRole == ReplicaRole.REFUSING) {
                    refusals.add(why);
                }
            }
        });
    }

    @AfterEach
    void end() {
        orchestratorReplicas.close();
        tableActorsFixture.close();
        kafka.close();
    }

    @Test
    void aNewLeaderCountsASiteWithAMissingTopic() throws Exception {
        startInEastUnderACapOfOne();
        delete("flotilla.intents.east");
        orchestratorReplicas.startNext();
        awaitTerm(2);
        tableActorsFixture.write(TableActorsFixture.heartbeat(WEST), TableActorsFixture.worker(WEST, "k2", 1));
        tableActorsFixture.await("what arrives in west is decided on", () -> isDecided("west/fleet/k2-w-1"));
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        assertThat(starts(WEST)).isEmpty();
        assertThat(head(EAST).inFlight()).isEqualTo(1);
    }

    @Test
    void suspendsASiteWhoseTopicIsDeletedAndContinuesOthers() throws Exception {
        startInEastUnderACapOfOne();
        delete("flotilla.inventory.east");
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        tableActorsFixture.write(SampleCampaigns.policy(2));
        tableActorsFixture.await("west is started", () -> !starts(WEST).isEmpty());
    }

    @Test
    void ignoresASiteThatIsPartlyCreated() {
        tableActorsFixture.write(SampleCampaigns.policy(1));
        try (TopicReconciler keeper =
                TopicReconciler.connect(KafkaClientSettings.forLocalBroker(kafka.bootstrap()), PATIENCE)) {
            keeper.create(TopicCatalogue.siteTopics(HALF).subList(0, 2));
        }
        orchestratorReplicas.startNext();
        tableActorsFixture.write(TableActorsFixture.heartbeat(WEST));
        tableActorsFixture.await("west is heard", () -> isDecided("west"));
        assertThat(tableActorsFixture.currentRows(SiteHead.class).map(SiteHead::site))
                .doesNotContain(HALF);
    }

    /** The length of the new topic does not matter: records below the old offset were never decided on. */
    @Test
    void suspendsASiteWithARecreatedTopicUntilAdoption() throws Exception {
        startInEastUnderACapOfOne();
        int written = 40;
        delete("flotilla.inventory.east");
        create("flotilla.inventory.east");
        tableActorsFixture.write(Collections.nCopies(written, TableActorsFixture.heartbeat(EAST)));
        tableActorsFixture.write(TableActorsFixture.cluster(EAST, "k1", 2), TableActorsFixture.worker(EAST, "k1", 1));
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        assertThat(head(EAST).lostTables()).containsExactly(Table.INVENTORY);
        assertThat(head(EAST).unreachableReason()).contains("flotilla.inventory.east was deleted and created again");
        tableActorsFixture.write(SampleCampaigns.policy(2));
        tableActorsFixture.await("west is started", () -> !starts(WEST).isEmpty());

        orchestratorReplicas.startNext();
        awaitTerm(tableActorsFixture
                        .currentRows(FleetHead.class)
                        .findFirst()
                        .orElseThrow()
                        .term()
                + 1);
        tableActorsFixture.write(TableActorsFixture.heartbeat(WEST), TableActorsFixture.worker(WEST, "k2", 1));
        tableActorsFixture.await("what arrives in west is decided on", () -> isDecided("west/fleet/k2-w-1"));
        assertThat(head(EAST).lostTables()).containsExactly(Table.INVENTORY);
        assertThat(isDecided("east/fleet/k1-w-1")).isFalse();

        tableActorsFixture.write(new OperatorOrder(
                new OperatorOrderKey.AdoptSiteTopics(EAST),
                "adopt-1",
                "ada",
                "test",
                null,
                OperatorOrder.OrderVerb.ADOPT));
        tableActorsFixture.await(
                "east is back", () -> head(EAST).unreachableSince() == null && isDecided("east/fleet/k1-w-1"));
        assertThat(head(EAST).lostTables()).isEmpty();
        assertThat(head(EAST).adoptOrderId()).isEqualTo("adopt-1");
        tableActorsFixture.assertIntactHashChain();
    }

    @Test
    void suspendsASiteWithTooManyPartitions() throws Exception {
        startInEastUnderACapOfOne();
        try (Admin admin = admin()) {
            admin.createPartitions(Map.of("flotilla.progress.east", NewPartitions.increaseTo(8)))
                    .all()
                    .get();
        }
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        assertThat(head(EAST).unreachableReason()).contains("has 8 partitions and must have 4");
        tableActorsFixture.write(SampleCampaigns.policy(2));
        tableActorsFixture.await("west is started", () -> !starts(WEST).isEmpty());
    }

    /** The broker describes the topic as healthy but rejects what is written. */
    @Test
    void suspendsTheSiteWhoseTopicRejectsARow() throws Exception {
        startInEastUnderACapOfOne();
        limit("flotilla.status.east", AlterConfigOp.OpType.SET);
        tableActorsFixture.write(tableActorsFixture.succeeded(starts(EAST).get(0)));
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        assertThat(head(EAST).unreachableReason()).contains("topic flotilla.status.east did not accept the record");
        tableActorsFixture.write(SampleCampaigns.policy(2), TableActorsFixture.worker(EAST, "k1", 1));
        tableActorsFixture.await("west is started", () -> !starts(WEST).isEmpty());
        assertThat(isDecided("east/fleet/k1-w-1")).isFalse();

        limit("flotilla.status.east", AlterConfigOp.OpType.DELETE);
        tableActorsFixture.await(
                "east is back", () -> head(EAST).unreachableSince() == null && isDecided("east/fleet/k1-w-1"));
        tableActorsFixture.assertIntactHashChain();
    }

    /** Large enough for a transaction marker, too small for a row. */
    private void limit(String topic, AlterConfigOp.OpType change) throws ExecutionException, InterruptedException {
        alter(topic, new AlterConfigOp(new ConfigEntry("max.message.bytes", "150"), change));
    }

    private void set(String topic, String setting, String value) throws ExecutionException, InterruptedException {
        alter(topic, new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET));
    }

    private void alter(String topic, AlterConfigOp change) throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
                    .all()
                    .get();
        }
    }

    @Test
    void refusesToLeadOnARecreatedFleetTopicUntilAdoption() throws Exception {
        startInEastUnderACapOfOne();
        tableActorsFixture.write(IntStream.range(0, 3)
                .mapToObj(i -> pauseUnknownCampaign("o-" + i))
                .toList());
        tableActorsFixture.await("they are read", () -> isDecided("flotilla.orders/0/nobodys/state"));
        delete("flotilla.orders");
        create("flotilla.orders");
        long uid = tableActorsFixture
                .awaitRow("the campaign's status", CampaignStatus.class, any -> true)
                .uid();
        tableActorsFixture.write(new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(SampleCampaigns.SPRING),
                "stop",
                "ada",
                "",
                uid,
                OperatorOrder.OrderVerb.PAUSE));
        tableActorsFixture.write(IntStream.range(0, 5)
                .mapToObj(i -> pauseUnknownCampaign("more-" + i))
                .toList());
        awaitReplicaRole(ReplicaRole.REFUSING);
        orchestratorReplicas.startNext();
        awaitReplicaRole(ReplicaRole.REFUSING);
        assertThat(refusals).last().asString().contains("flotilla.orders was deleted and created again");
        String id = topicId("flotilla.orders");
        tableActorsFixture.write(new OperatorOrder(
                new OperatorOrderKey.AdoptFleetTopics(),
                id,
                "ada",
                "looked through",
                null,
                OperatorOrder.OrderVerb.ADOPT));
        tableActorsFixture.await(
                "the campaign pauses",
                () -> tableActorsFixture
                        .currentRows(CampaignStatus.class)
                        .anyMatch(status -> status.state() == CampaignState.PAUSED));
        tableActorsFixture.await("the adoption is noted", () -> isDecided("fleet/adopt"));
        tableActorsFixture.write(SampleCampaigns.policy(2), TableActorsFixture.worker(WEST, "k2", 1));
        tableActorsFixture.await("what arrives in west is decided on", () -> isDecided("west/fleet/k2-w-1"));
        assertThat(starts(WEST)).isEmpty();
    }

    /** Id and end offset are unchanged; only the beginning offset shows the loss. */
    @Test
    void refusesToLeadOnATruncatedFleetTopic() throws Exception {
        startInEastUnderACapOfOne();
        tableActorsFixture.write(order(new OperatorOrderKey.FreezeFleet(), "stop"));
        tableActorsFixture.await("the freeze is read", () -> isDecided("fleet/freeze"));
        set("flotilla.freezes", "cleanup.policy", "compact,delete");
        deleteRecords("flotilla.freezes");
        set("flotilla.freezes", "cleanup.policy", "compact");
        orchestratorReplicas.startNext();
        awaitReplicaRole(ReplicaRole.REFUSING);
        assertThat(refusals).last().asString().contains("The first records of topic flotilla.freezes were deleted");
        tableActorsFixture.write(SampleCampaigns.policy(2), TableActorsFixture.worker(WEST, "k2", 1));

        delete("flotilla.freezes");
        create("flotilla.freezes");
        tableActorsFixture.write(order(new OperatorOrderKey.FreezeFleet(), "stop again"));
        String id = topicId("flotilla.freezes");
        tableActorsFixture.write(new OperatorOrder(
                new OperatorOrderKey.AdoptFleetTopics(),
                id,
                "ada",
                "looked through",
                null,
                OperatorOrder.OrderVerb.ADOPT));
        tableActorsFixture.await("what arrives in west is decided on", () -> isDecided("west/fleet/k2-w-1"));
        assertThat(starts(WEST)).isEmpty();
    }

    @Test
    void refusesToLeadOnAFleetTopicWithRetention() throws Exception {
        startInEastUnderACapOfOne();
        set("flotilla.orders", "cleanup.policy", "delete");
        awaitReplicaRole(ReplicaRole.REFUSING);
        orchestratorReplicas.startNext();
        awaitReplicaRole(ReplicaRole.REFUSING);
        assertThat(refusals)
                .last()
                .asString()
                .contains("topic flotilla.orders has cleanup.policy=delete; it must be compact");
        set("flotilla.orders", "cleanup.policy", "compact");
        tableActorsFixture.write(TableActorsFixture.worker(WEST, "k2", 1));
        tableActorsFixture.await("what arrives in west is decided on", () -> isDecided("west/fleet/k2-w-1"));
    }

    @Test
    void suspendsASiteWithATruncatedTopicUntilAdoption() throws Exception {
        startInEastUnderACapOfOne();
        set("flotilla.intents.east", "cleanup.policy", "delete");
        tableActorsFixture.await("east is suspended", () -> head(EAST).unreachableSince() != null);
        assertThat(head(EAST).unreachableReason()).contains("flotilla.intents.east has cleanup.policy=delete");
        tableActorsFixture.write(SampleCampaigns.policy(2));
        tableActorsFixture.await("west is started", () -> !starts(WEST).isEmpty());
        set("flotilla.intents.east", "cleanup.policy", "compact");
        tableActorsFixture.await("east is back", () -> head(EAST).unreachableSince() == null);

        set("flotilla.inventory.east", "cleanup.policy", "compact,delete");
        deleteRecords("flotilla.inventory.east");
        set("flotilla.inventory.east", "cleanup.policy", "compact");
        tableActorsFixture.await(
                "what east has lost is noticed", () -> !head(EAST).lostTables().isEmpty());
        assertThat(head(EAST).unreachableReason()).contains("the first records of topic flotilla.inventory.east");

        delete("flotilla.inventory.east");
        create("flotilla.inventory.east");
        tableActorsFixture.write(
                TableActorsFixture.heartbeat(EAST),
                TableActorsFixture.cluster(EAST, "k1", 2),
                TableActorsFixture.worker(EAST, "k1", 1));
        tableActorsFixture.write(order(new OperatorOrderKey.AdoptSiteTopics(EAST), "adopt-1"));
        tableActorsFixture.await(
                "east is adopted", () -> head(EAST).unreachableSince() == null && isDecided("east/fleet/k1-w-1"));
        tableActorsFixture.assertIntactHashChain();
    }

    /** Deletes all records of a topic with one partition. */
    private void deleteRecords(String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(-1)))
                    .all()
                    .get();
        }
    }

    private static OperatorOrder pauseUnknownCampaign(String id) {
        return new OperatorOrder(
                new OperatorOrderKey.SetCampaignState(new CampaignName("nobodys")),
                id,
                "ada",
                "test",
                1L,
                OperatorOrder.OrderVerb.PAUSE);
    }

    private static OperatorOrder order(OperatorOrderKey key, String id) {
        OperatorOrder.OrderVerb verb = key instanceof OperatorOrderKey.AdoptSiteTopics
                ? OperatorOrder.OrderVerb.ADOPT
                : OperatorOrder.OrderVerb.FREEZE;
        return new OperatorOrder(key, id, "ada", "test", null, verb);
    }

    private void awaitReplicaRole(ReplicaRole replicaRole) {
        refusals.clear();
        tableActorsFixture.await(
                "it is " + replicaRole, () -> standings.peekLast() == replicaRole && !refusals.isEmpty());
    }

    private String topicId(String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .topicId()
                    .toString();
        }
    }

    /** Starts a machine of east, while a machine of west waits for its slot. */
    private void startInEastUnderACapOfOne() {
        tableActorsFixture.write(SampleCampaigns.policy(1));
        tableActorsFixture.write(
                TableActorsFixture.heartbeat(EAST),
                TableActorsFixture.cluster(EAST, "k1", 1),
                TableActorsFixture.worker(EAST, "k1", 0));
        tableActorsFixture.write(SampleCampaigns.campaign());
        tableActorsFixture.await("east is started", () -> !starts(EAST).isEmpty());
        tableActorsFixture.write(
                TableActorsFixture.heartbeat(WEST),
                TableActorsFixture.cluster(WEST, "k2", 2),
                TableActorsFixture.worker(WEST, "k2", 0));
        tableActorsFixture.await("west is known", () -> isDecided("west/fleet/k2-w-0"));
    }

    private void awaitTerm(long term) {
        tableActorsFixture.await(
                "term " + term,
                () -> tableActorsFixture.currentRows(FleetHead.class).anyMatch(head -> head.term() >= term));
    }

    private boolean isDecided(String subject) {
        return tableActorsFixture.journal().stream().map(JournalRecord::subject).anyMatch(subject::equals);
    }

    private List<WorkerCommand.UpgradeMachine> starts(SiteId site) {
        return tableActorsFixture
                .allChanges(WorkerCommand.UpgradeMachine.class)
                .filter(command -> command.key().site().equals(site))
                .toList();
    }

    private SiteHead head(SiteId site) {
        return tableActorsFixture
                .currentRows(SiteHead.class)
                .filter(head -> head.site().equals(site))
                .findFirst()
                .orElse(SiteHead.of(site));
    }

    private void delete(String topic) throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    private Admin admin() {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()));
    }

    private void create(String topic) {
        List<Topic> topics = new ArrayList<>(TopicCatalogue.siteTopics(EAST));
        topics.addAll(TopicCatalogue.fleetTopics());
        topics.removeIf(one -> !one.name().equals(topic));
        try (TopicReconciler keeper =
                TopicReconciler.connect(KafkaClientSettings.forLocalBroker(kafka.bootstrap()), PATIENCE)) {
            keeper.create(topics);
        }
    }
}
