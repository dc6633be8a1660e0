package dev.flotilla.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.cert.KeyAndCertificate;
import dev.flotilla.testkit.kafka.BrokerListener;
import dev.flotilla.testkit.kafka.KafkaOptions;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests {@link ComponentAcls} with Kafka's own authorizer; each principal has its own certificate. */
class ComponentAclsIT {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final String ROOT = "root";
    private static final SiteId A = new SiteId("a");
    private static final SiteId B = new SiteId("b");

    private static final Map<String, KafkaAclPrincipal> PRINCIPALS = new LinkedHashMap<>();

    static {
        PRINCIPALS.put("watcher-a", new KafkaAclPrincipal.Watcher(A));
        PRINCIPALS.put("worker-a", new KafkaAclPrincipal.Worker(A));
        PRINCIPALS.put("watcher-b", new KafkaAclPrincipal.Watcher(B));
        PRINCIPALS.put("worker-b", new KafkaAclPrincipal.Worker(B));
        PRINCIPALS.put("orchestr", new KafkaAclPrincipal.Orchestrator());
        PRINCIPALS.put("auditor", new KafkaAclPrincipal.Auditor());
        PRINCIPALS.put("author", new KafkaAclPrincipal.CampaignAuthor());
        PRINCIPALS.put("operator", new KafkaAclPrincipal.Operator());
        PRINCIPALS.put("approver", new KafkaAclPrincipal.Approver());
        PRINCIPALS.put("freezer", new KafkaAclPrincipal.Freezer());
        PRINCIPALS.put("policies", new KafkaAclPrincipal.PolicyEditor());
        PRINCIPALS.put("reader", new KafkaAclPrincipal.Reader());
        PRINCIPALS.put("hub", new KafkaAclPrincipal.CampaignController());
        PRINCIPALS.put("topicadm", new KafkaAclPrincipal.TopicAdministrator());
    }

    /** A principal without ACLs. */
    private static final String STRANGER = "stranger";

    private static final String TOPICS = """
            topic                     watcher-a worker-a  watcher-b worker-b  orchestr  auditor   author    operator  approver  freezer   policies  reader    hub       topicadm  stranger
            flotilla.campaigns        ---       ---       ---       ---       sr-       sr-       srw       sr-       sr-       sr-       sr-       sr-       srw       s--       ---
            flotilla.orders           ---       ---       ---       ---       sr-       sr-       sr-       srw       sr-       sr-       sr-       sr-       srw       s--       ---
            flotilla.approvals        ---       ---       ---       ---       sr-       sr-       sr-       sr-       srw       sr-       sr-       sr-       srw       s--       ---
            flotilla.freezes          ---       ---       ---       ---       sr-       sr-       sr-       sr-       sr-       srw       sr-       sr-       srw       s--       ---
            flotilla.auditor-orders   ---       ---       ---       ---       sr-       srw       sr-       sr-       sr-       sr-       sr-       sr-       ---       s--       ---
            flotilla.policies         ---       ---       ---       ---       sr-       sr-       sr-       sr-       sr-       sr-       srw       sr-       srw       s--       ---
            flotilla.campaign-status  ---       ---       ---       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       s--       ---
            flotilla.head             ---       ---       ---       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---
            flotilla.journal          ---       ---       ---       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---       sr-       ---
            flotilla.rejected         ---       ---       ---       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       s--       ---
            flotilla.leader           ---       ---       ---       ---       sr-       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.inventory.a      srw       ---       ---       ---       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---       s--       ---
            flotilla.intents.a        srw       ---       ---       ---       sr-       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.status.a         sr-       ---       ---       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---       s--       ---
            flotilla.commands.a       ---       sr-       ---       ---       srw       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.progress.a       ---       srw       ---       ---       sr-       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.inventory.b      ---       ---       srw       ---       sr-       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---       s--       ---
            flotilla.intents.b        ---       ---       srw       ---       sr-       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.status.b         ---       ---       sr-       ---       srw       sr-       sr-       sr-       sr-       sr-       sr-       sr-       ---       s--       ---
            flotilla.commands.b       ---       ---       ---       sr-       srw       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            flotilla.progress.b       ---       ---       ---       srw       sr-       sr-       ---       ---       ---       ---       ---       ---       ---       s--       ---
            """;

    private static final String IDENTITIES = """
            group or transactional id watcher-a worker-a  watcher-b worker-b  orchestr  auditor   author    operator  approver  freezer   policies  reader    hub       topicadm  stranger
            flotilla.leader           -         -         -         -         join      -         see       see       see       see       see       see       -         -         -
            flotilla.worker.a         -         join      -         -         -         -         -         -         -         -         -         -         -         -         -
            flotilla.worker.b         -         -         -         join      -         -         -         -         -         -         -         -         -         -         -
            flotilla.orchestrator     -         -         -         -         init      -         -         -         -         -         -         -         -         -         -
            flotilla.watcher.a        init      -         -         -         -         -         -         -         -         -         -         -         -         -         -
            flotilla.watcher.b        -         -         init      -         -         -         -         -         -         -         -         -         -         -         -
            flotilla.worker.a.0       -         init      -         -         -         -         -         -         -         -         -         -         -         -         -
            flotilla.worker.b.0       -         -         -         init      -         -         -         -         -         -         -         -         -         -         -
            """;

    private static LocalKafka kafka;
    private static final Map<String, AclTestClient> PROBES = new LinkedHashMap<>();
    private static List<Topic> topics;

    @BeforeAll
    static void start() throws Exception {
        kafka = LocalKafka.start(
                KafkaOptions.defaults().withListeners(BrokerListener.MUTUAL_TLS).withAuthorizer(ROOT));
        topics = new ArrayList<>(TopicCatalogue.fleetTopics());
        topics.addAll(TopicCatalogue.siteTopics(A));
        topics.addAll(TopicCatalogue.siteTopics(B));
        try (AclGranter acls = AclGranter.connect(settings(ROOT), DEADLINE);
                TopicReconciler keeper = TopicReconciler.connect(settings(ROOT), DEADLINE);
                AclTestClient root = new AclTestClient(settings(ROOT))) {
            acls.grant(PRINCIPALS);
            keeper.create(topics);
            for (Topic topic : topics) {
                assertThat(root.canWrite(topic.name())).isTrue();
            }
            for (Map.Entry<String, KafkaAclPrincipal> principal : PRINCIPALS.entrySet()) {
                assertThat(acls.findMissingAcls(principal.getValue(), principal.getKey()))
                        .isEmpty();
            }
        }
        PRINCIPALS.keySet().forEach(name -> PROBES.put(name, new AclTestClient(settings(name))));
        PROBES.put(STRANGER, new AclTestClient(settings(STRANGER)));
    }

    @AfterAll
    static void stop() {
        PROBES.values().forEach(AclTestClient::close);
        kafka.close();
    }

    /** In a cell, s means that the principal sees the topic, r that it can read it, w that it can write it. */
    @Test
    void eachPrincipalReadsAndWritesOnlyItsTopics() throws Exception {
        List<List<String>> rows = new ArrayList<>();
        for (Topic topic : topics) {
            List<String> row = new ArrayList<>(List.of(topic.name()));
            for (AclTestClient aclTestClient : PROBES.values()) {
                boolean listed = aclTestClient.listTopicNames().contains(topic.name());
                assertThat(aclTestClient.canDescribe(topic.name()))
                        .as("a listed topic can be described")
                        .isEqualTo(listed);
                row.add((listed ? "s" : "-")
                        + (aclTestClient.canRead(topic.name()) ? "r" : "-")
                        + (aclTestClient.canWrite(topic.name()) ? "w" : "-"));
            }
            rows.add(row);
        }
        assertThat(printTable("topic", rows)).isEqualTo(TOPICS);
    }

    @ParameterizedTest(name = "{0} as {1}: {2}")
    @CsvSource({
        "approve, approver, true",
        "approve, author, false",
        "approve, operator, false",
        "approve, freezer, false",
        "approve, auditor, false",
        "freeze, freezer, true",
        "freeze, author, false",
        "freeze, operator, false",
        "freeze, approver, false",
        "freeze, auditor, false",
        "freeze-as-auditor, auditor, true",
        "freeze-as-auditor, author, false",
        "freeze-as-auditor, operator, false",
        "freeze-as-auditor, approver, false",
        "freeze-as-auditor, freezer, false",
    })
    void onlyApproversApproveAndOnlyFreezersFreeze(String what, String name, boolean may) {
        OperatorOrder freeze = new OperatorOrder(
                new OperatorOrderKey.FreezeFleet(), "1", "ada", "", null, OperatorOrder.OrderVerb.FREEZE);
        OperatorOrder order = switch (what) {
            case "freeze" -> freeze;
            case "approve" ->
                new OperatorOrder(
                        new OperatorOrderKey.ApproveWave(new CampaignName("up"), "all"),
                        "1",
                        "ada",
                        "",
                        1L,
                        OperatorOrder.OrderVerb.APPROVE);
            default -> freeze.withTable(Table.AUDITOR_ORDERS);
        };
        WireRecord record = WireRecordCodec.encode(order);
        WireRecord placed = new WireRecord(record.topic(), 0, record.key(), record.value(), record.headers());
        try (RowWriter writer = new RowWriter(settings(name), name, DEADLINE)) {
            if (may) {
                assertThat(writer.write(placed)).isNotNegative();
            } else {
                assertThatThrownBy(() -> writer.write(placed))
                        .isInstanceOfSatisfying(
                                KafkaFailure.class,
                                failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.NOT_ALLOWED));
            }
        }
    }

    @Test
    void eachPrincipalUsesOnlyItsGroupAndTransactionalIds() {
        List<List<String>> rows = new ArrayList<>();
        for (String group :
                List.of(ComponentAcls.LEADER_GROUP, ComponentAcls.workerGroup(A), ComponentAcls.workerGroup(B))) {
            List<String> row = new ArrayList<>(List.of(group));
            PROBES.values()
                    .forEach(aclTestClient -> row.add(
                            aclTestClient.canJoinGroup(group)
                                    ? "join"
                                    : aclTestClient.canSeeMembers(group) ? "see" : "-"));
            rows.add(row);
        }
        for (String id : List.of(
                ComponentAcls.ORCHESTRATOR_TRANSACTIONS,
                ComponentAcls.watcherTransactions(A),
                ComponentAcls.watcherTransactions(B),
                ComponentAcls.workerTransactions(A, 0),
                ComponentAcls.workerTransactions(B, 0))) {
            List<String> row = new ArrayList<>(List.of(id));
            PROBES.values().forEach(aclTestClient -> row.add(aclTestClient.canUseTransactionalId(id) ? "init" : "-"));
            rows.add(row);
        }
        assertThat(printTable("group or transactional id", rows)).isEqualTo(IDENTITIES);
    }

    @Test
    void orchestratorHasAllPermissionsOfALeader() {
        try (TopicReconciler keeper = TopicReconciler.connect(settings("orchestr"), DEADLINE)) {
            keeper.requireTransactions();
            assertThat(keeper.findCompleteSites()).containsExactly(A, B);
            assertThat(keeper.verify(topics)).isEmpty();
        }
        try (KafkaProducer<byte[], byte[]> leader =
                probe("orchestr").producer(Map.of("transactional.id", ComponentAcls.ORCHESTRATOR_TRANSACTIONS))) {
            leader.initTransactions();
            leader.beginTransaction();
            for (Topic topic : List.of(
                    new Topic(Table.STATUS, A),
                    new Topic(Table.COMMANDS, B),
                    Topic.of(Table.CAMPAIGN_STATUS),
                    Topic.of(Table.HEAD),
                    Topic.of(Table.JOURNAL),
                    Topic.of(Table.REJECTED))) {
                var unused = leader.send(new ProducerRecord<>(topic.name(), AclTestClient.KEY, AclTestClient.KEY));
            }
            leader.commitTransaction();
        }
    }

    @Test
    void idempotentWritersNeedNoClusterPermission() throws Exception {
        try (KafkaProducer<byte[], byte[]> author = probe("author").producer(Map.of("enable.idempotence", true))) {
            assertThat(author.send(new ProducerRecord<>("flotilla.campaigns", AclTestClient.KEY, AclTestClient.KEY))
                            .get(20, TimeUnit.SECONDS)
                            .hasOffset())
                    .isTrue();
        }
    }

    @Test
    void onlyAdministratorsTrimTheJournalOrCreateAcls() {
        TopicPartition journal = new TopicPartition("flotilla.journal", 0);
        for (String name : Set.of("orchestr", "auditor", "watcher-a")) {
            assertThatThrownBy(() -> probe(name)
                            .admin()
                            .deleteRecords(Map.of(journal, RecordsToDelete.beforeOffset(0)))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            assertThatThrownBy(() -> probe(name)
                            .admin()
                            .createAcls(ComponentAcls.bindingsFor(new KafkaAclPrincipal.Approver(), name))
                            .all()
                            .get(20, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClusterAuthorizationException.class);
        }
    }

    @Test
    void orchestratorSeesASiteThatTheTopicAdministratorAdded() {
        SiteId added = new SiteId("added");
        try (TopicReconciler keeper = TopicReconciler.connect(settings("topicadm"), DEADLINE);
                TopicReconciler leader = TopicReconciler.connect(settings("orchestr"), DEADLINE)) {
            assertThat(keeper.create(TopicCatalogue.siteTopics(added))).hasSize(5);
            assertThat(keeper.fixDrifts(keeper.verify(TopicCatalogue.siteTopics(added))))
                    .isEmpty();
            assertThat(leader.verify(TopicCatalogue.siteTopics(added))).isEmpty();
            assertThat(probe("orchestr").canWrite(new Topic(Table.COMMANDS, added).name()))
                    .isTrue();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assertThatThrownBy(() -> {
                    try (TopicReconciler keeper = TopicReconciler.connect(settings("orchestr"), DEADLINE)) {
                        keeper.create(TopicCatalogue.siteTopics(new SiteId("other")));
                    }
                })
                .isInstanceOfSatisfying(
                        KafkaFailure.class,
                        failure -> assertThat(failure.kind()).isEqualTo(KafkaFailure.Kind.NOT_ALLOWED))
                .hasMessageContaining("permissions of its component");
    }

    private static AclTestClient probe(String name) {
        return PROBES.get(name);
    }

    private static KafkaClientSettings settings(String name) {
        KeyAndCertificate identity = kafka.authority().issue(name);
        KafkaClientSettings.SettingsParseResult settingsParseResult = KafkaClientSettings.parse(Map.of(
                "bootstrap.servers", kafka.bootstrap(BrokerListener.MUTUAL_TLS),
                "security.protocol", "SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.certificates", kafka.authority().certificate(),
                "ssl.keystore.type", "PEM",
                "ssl.keystore.key", identity.key(),
                "ssl.keystore.certificate.chain", identity.certificate()));
        assertThat(settingsParseResult).isInstanceOf(KafkaClientSettings.ValidSettings.class);
        return ((KafkaClientSettings.ValidSettings) settingsParseResult).settings();
    }

    /** Formats a table and prints it, so that it is in the test's output. */
    private static String printTable(String what, List<List<String>> rows) {
        List<String> head = new ArrayList<>(List.of(what));
        head.addAll(PROBES.keySet());
        StringBuilder table = new StringBuilder(formatRow(head));
        rows.forEach(row -> table.append(formatRow(row)));
        System.out.println(table);
        return table.toString();
    }

    private static String formatRow(List<String> cells) {
        StringBuilder line = new StringBuilder(String.format("%-26s", cells.getFirst()));
        cells.subList(1, cells.size()).forEach(cell -> line.append(String.format("%-10s", cell)));
        return line.toString().stripTrailing() + "\n";
    }
}
