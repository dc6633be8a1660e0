package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.file.CampaignFileReader;
import dev.flotilla.schemas.json.file.FileReadResult;
import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.cert.CertificateAuthority;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pass over the objects of a stub of an API server: three Campaigns and two Policies, unless a test says otherwise. */
class SyncPassTest {
    private static final HubClusterConfig HUB = HubClusterConfig.DEFAULT;
    private static final String LEASE_PATH =
            "/apis/coordination.k8s.io/v1/namespaces/flotilla/leases/flotilla-campaign-controller";
    private static final String OBJECTS = "/apis/flotilla.dev/v1/namespaces/flotilla/";
    private static final String FREEZE = "{'verb': 'freeze', 'reason': 'storm'}";
    private static final String UNFREEZE = "{'verb': 'unfreeze', 'reason': 'calm'}";
    private static final int UNAVAILABLE = 503;
    private static final int NOT_FOUND = 404;

    private final AtomicLong seconds = new AtomicLong();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final RecordedPasses listener = new RecordedPasses();
    private final FleetTables tables = new FleetTables(List.of());
    private final List<RowChange> rows = new ArrayList<>();

    /** The bodies of the last writes, by method and path. */
    private final Map<String, String> bodies = new ConcurrentHashMap<>();

    /** The items of lists that are not the usual ones, by plural. */
    private final Map<String, String> lists = new ConcurrentHashMap<>();

    private final AtomicInteger bugs = new AtomicInteger();
    private final AtomicInteger morePages = new AtomicInteger();

    @TempDir
    private Path folder;

    private Vertx vertx;
    private KubeApiClient api;
    private SyncLease lease;
    private SyncPass pass;
    private volatile long passesAtWrite;
    private volatile long passesAtPage;
    private volatile boolean refusesCreation;

    @BeforeEach
    void start() throws Exception {
        vertx = Vertx.vertx();
        CertificateAuthority authority = CertificateAuthority.create("stub");
        authority.issue("127.0.0.1").writeSeparateFiles(folder);
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addCertPath(folder.resolve("127.0.0.1.crt").toString())
                                .addKeyPath(folder.resolve("127.0.0.1.key").toString())))
                .requestHandler(this::answer)
                .listen(0, "127.0.0.1")
                .await();
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: stub, cluster: {server: 'https://127.0.0.1:%d', certificate-authority-data: %s}}]
                users: [{name: nobody, user: {token: nobody-reads-it}}]
                contexts: [{name: stub, context: {cluster: stub, user: nobody}}]
                current-context: stub
                """.formatted(
                server.actualPort(),
                Base64.getEncoder().encodeToString(authority.certificate().getBytes(StandardCharsets.US_ASCII))));
        api = KubeApiClient.open(kubeconfig, Duration.ofSeconds(10), 1, System::nanoTime);
        lease = new SyncLease(
                api,
                HUB.namespace(),
                "this",
                () -> Instant.EPOCH,
                () -> Duration.ofSeconds(seconds.get()).toNanos());
        HubObjectWriter objects = new HubObjectWriter(api, HUB.namespace());
        pass = new SyncPass(
                api,
                HUB,
                lease,
                objects,
                new ManifestReconciler(objects, rows::add, MachineCountsSource.NONE, this::readClock),
                new OrderReconciler(objects, rows::add, this::readClock),
                listener);
        FleetHead head = new FleetHead(1, 1, Instant.EPOCH, "", FleetHead.FEATURE_LEVEL, true, List.of());
        put(0, head);
        assertThat(lease.takeOrRenew()).isTrue();
        requests.clear();
    }

    private Instant readClock() {
        if (bugs.getAndDecrement() > 0) {
            throw new IllegalStateException("bug");
        }
        return Instant.EPOCH;
    }

    private void put(long offset, RowChange change) {
        put(offset, change.rowKey().table(), WireRecordCodec.encode(change));
    }

    private void put(long offset, Table table, WireRecord record) {
        tables.add(new ConsumedRecord(TablePartition.of(table), offset, 0, record));
    }

    @AfterEach
    void stop() {
        api.close();
        vertx.close().await();
    }

    private void answer(HttpServerRequest request) {
        String call = request.method() + " " + request.path();
        requests.add(call);
        request.body().onSuccess(body -> {
            bodies.put(call, body.toString());
            answer(request, call);
        });
    }

    private void answer(HttpServerRequest request, String call) {
        if (call.startsWith("PATCH " + OBJECTS)) {
            seconds.addAndGet(passesAtWrite);
        }
        if (call.startsWith("GET " + OBJECTS)) {
            seconds.addAndGet(passesAtPage);
        }
        boolean isLeaseLost = request.path().equals(LEASE_PATH) && passesAtWrite > 0 && seconds.get() > 0;
        if (isLeaseLost || (refusesCreation && call.startsWith("POST " + OBJECTS))) {
            request.response()
                    .setStatusCode(isLeaseLost ? UNAVAILABLE : NOT_FOUND)
                    .end();
        } else {
            String plural = request.path().replace(OBJECTS, "");
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .end(lists.containsKey(plural) ? list(lists.get(plural)) : bodyOf(request.path()));
        }
    }

    private String bodyOf(String path) {
        return switch (path.replace(OBJECTS, "")) {
            case "campaigns" -> listOf("Campaign", "first", "second", "third");
            case "policies" -> listOf("Policy", "fleet", "east");
            case "orders" -> listOf("Order");
            default -> "{\"kind\": \"Lease\", \"metadata\": {\"name\": \"any\", \"resourceVersion\": \"7\"}}";
        };
    }

    private String listOf(String kind, String... names) {
        return list(Stream.of(names).map(name -> object(kind, name, "{}", "{}")).collect(Collectors.joining(",")));
    }

    private String list(String items) {
        String next = morePages.getAndDecrement() > 0 ? "next" : "";
        return "{\"metadata\": {\"resourceVersion\": \"9\", \"continue\": \"" + next + "\"}, \"items\": [" + items
                + "]}";
    }

    private static String object(String kind, String name, String spec, String status) {
        return """
            {"apiVersion": "flotilla.dev/v1", "kind": "%s", "metadata": {"name": "%s", "namespace": "flotilla", "uid": "%s", "resourceVersion": "1",
              "generation": 1, "creationTimestamp": "2026-03-01T02:14:00Z", "finalizers": ["flotilla.dev/campaign-controller"]},
              "spec": %s, "status": %s}""".formatted(kind, name, name, spec.replace('\'', '"'), status.replace('\'', '"'));
    }

    /** Returns what was written last into the status of an object. */
    private String statusOf(String object) {
        return bodies.getOrDefault("PATCH " + OBJECTS + object + "/status", "");
    }

    private static OperatorOrder order(String id, OrderVerb verb) {
        return new OperatorOrder(new OperatorOrderKey.FreezeFleet(), id, "ada", "why", null, verb);
    }

    private List<String> written() {
        return requests.stream()
                .filter(request -> request.startsWith("PATCH " + OBJECTS))
                .toList();
    }

    @Test
    void goesOverTheObjectsOfAllKinds() {
        pass.run(tables);
        assertThat(written()).hasSize(5);
        assertThat(listener.passes).containsExactly("5 objects, 0 conflicts");
    }

    /** Each request to an API server that is silent takes until its timeout. */
    @Test
    void endsWhenTheLeaseIsLost() {
        passesAtWrite = 11;
        pass.run(tables);
        assertThat(requests)
                .containsExactly("GET " + OBJECTS + "policies", written().getFirst(), "GET " + LEASE_PATH);
        assertThat(lease.problem()).startsWith("503");
        assertThat(listener.passes).isEmpty();
    }

    @Test
    void aBugAtOneObjectKeepsNoOtherOneWaiting() {
        bugs.set(1);
        pass.run(tables);
        assertThat(written()).hasSize(4);
        assertThat(listener.failures).containsExactly("Policy flotilla/east: java.lang.IllegalStateException: bug");
        assertThat(listener.passes).containsExactly("5 objects, 0 conflicts");
    }

    /** Defaults are written out in an object, so it is larger than its record. */
    @Test
    void aRecordOfTheLargestSizeGetsAnObject() {
        StringBuilder waves = new StringBuilder();
        for (int wave = 0; wave < 63; wave++) {
            List<String> sites = new ArrayList<>();
            for (int site = 0; site < 16; site++) {
                sites.add("\"site-%02d-%02d%s\"".formatted(wave, site, "x".repeat(50)));
            }
            waves.append("{\"name\":\"w%d\",\"sites\":[%s]},".formatted(wave, String.join(",", sites)));
        }
        String manifest = "{\"apiVersion\":\"flotilla.dev/v1\",\"kind\":\"Campaign\",\"metadata\":{\"name\":\"large\"},"
                + "\"spec\":{\"target\":{\"option\":\"revision=7\"},\"select\":{},\"waves\":[" + waves
                + "{\"name\":\"rest\"}]}}";
        WireRecord record = WireRecordCodec.encode(campaign(manifest));
        byte[] value = manifest.getBytes(StandardCharsets.UTF_8);
        assertThat(value).hasSizeLessThanOrEqualTo(DocumentLimits.INPUT_BYTES);
        assertThat(record.value()).hasSizeGreaterThan(DocumentLimits.INPUT_BYTES);
        put(1, Table.CAMPAIGNS, new WireRecord(record.topic(), null, record.key(), value, record.headers()));
        pass.run(tables);
        assertThat(bodies.get("POST " + OBJECTS + "campaigns")).contains("site-62-15", "\"name\":\"large\"");
        assertThat(listener.failures).isEmpty();
    }

    private static Campaign campaign(String manifest) {
        return ((FileReadResult.ValidFile<Campaign>) CampaignFileReader.read(manifest)).value();
    }

    /** Without the namespace or the kind, nothing was created. */
    @Test
    void anObjectThatCannotBeCreatedIsAFailure() {
        put(1, campaign("""
                {"apiVersion": "flotilla.dev/v1", "kind": "Campaign", "metadata": {"name": "autumn"},
                  "spec": {"target": {"option": "revision=7"}, "select": {}}}"""));
        refusesCreation = true;
        pass.run(tables);
        assertThat(listener.failures).singleElement().asString().startsWith("Campaign autumn: 404");
    }

    @Test
    void aCampaignThatWasDeletedWhileTheControllerWasAwayIsNotWrittenAgain() {
        String spec = "{'target': {'option': 'revision=7'}, 'select': {}}";
        put(3, new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("autumn"))));
        lists.put("campaigns", object("Campaign", "autumn", spec, "{}"));
        pass.run(tables);
        assertThat(statusOf("campaigns/autumn")).contains("\"syncedHash\":\"absent-3\"", "is being written to Kafka");
        put(7, new Tombstone(new RowKey(Table.CAMPAIGNS, new CampaignName("autumn"))));
        lists.put(
                "campaigns",
                object("Campaign", "autumn", spec, "{'syncedHash': 'absent-3', 'pendingHash': 'written'}"));
        pass.run(tables);
        assertThat(statusOf("campaigns/autumn")).contains("DeletedInKafka", "\"kafkaHash\":\"absent-7\"");
        assertThat(rows).isEmpty();
    }

    /** Its status is Waiting, because an Order that sorts before it was created after it was written. */
    @ParameterizedTest
    @ValueSource(strings = {"Writing", "Waiting"})
    void anOrderThatWasReplacedIsNotGivenAgain(String phase) {
        put(4, order("b-unfreeze", OrderVerb.UNFREEZE));
        put(5, order("of-the-night", OrderVerb.FREEZE));
        listOrders(phase);
        pass.run(tables);
        assertThat(statusOf("orders/b-unfreeze")).contains("\"phase\":\"Replaced\"", "of-the-night");
        assertThat(statusOf("orders/a-freeze")).contains("EarlierOrder");
        assertThat(rows).isEmpty();
    }

    private void listOrders(String phase) {
        lists.put(
                "orders",
                object("Order", "a-freeze", FREEZE, "{}") + ","
                        + object("Order", "b-unfreeze", UNFREEZE, "{'phase': '" + phase + "', 'replacedOrder': ''}"));
    }

    @Test
    void aRunIsNotGivenAgainAfterAPause() {
        OperatorOrderKey state = new OperatorOrderKey.SetCampaignState(new CampaignName("spring"));
        put(4, new OperatorOrder(state, "b-run", "ada", "calm", 7L, OrderVerb.RUN));
        put(5, new OperatorOrder(state, "of-the-night", "ada", "storm", 7L, OrderVerb.PAUSE));
        lists.put(
                "orders",
                object("Order", "a-pause", "{'verb': 'pause', 'campaign': 'spring', 'reason': 'storm'}", "{}") + ","
                        + object(
                                "Order",
                                "b-run",
                                "{'verb': 'run', 'campaign': 'spring', 'reason': 'calm'}",
                                "{'phase': 'Waiting', 'campaignUid': 7, 'replacedOrder': ''}"));
        pass.run(tables);
        assertThat(statusOf("orders/b-run")).contains("\"phase\":\"Replaced\"", "of-the-night");
        assertThat(rows).isEmpty();
    }

    @Test
    void anOrderThatMayBeWrittenComesBeforeOneThatIsNot() {
        listOrders("Writing");
        pass.run(tables);
        assertThat(rows)
                .singleElement()
                .isInstanceOfSatisfying(
                        OperatorOrder.class, written -> assertThat(written.id()).isEqualTo("b-unfreeze"));
        assertThat(statusOf("orders/a-freeze")).contains("EarlierOrder");
    }

    /** Whether it was this one or a later one that was deleted, it was given. */
    @Test
    void anOrderThatWasDeletedInKafkaIsNotGivenAgain() {
        put(4, order("b-unfreeze", OrderVerb.UNFREEZE));
        put(5, new Tombstone(order("b-unfreeze", OrderVerb.UNFREEZE).rowKey()));
        listOrders("Writing");
        pass.run(tables);
        assertThat(statusOf("orders/b-unfreeze")).contains("\"phase\":\"Replaced\"", "was deleted in Kafka");
        assertThat(rows).isEmpty();
    }

    /** Kafka forgets a deletion after a while, and all rows when a topic is created again. */
    @Test
    void anOrderWhoseWholeSubjectIsGoneIsNotGivenAgain() {
        lists.put(
                "orders",
                object("Order", "b-unfreeze", UNFREEZE, "{'phase': 'Writing', 'replacedOrder': 'of-the-night'}"));
        pass.run(tables);
        assertThat(statusOf("orders/b-unfreeze")).contains("\"phase\":\"Replaced\"", "was deleted in Kafka");
        assertThat(rows).isEmpty();
    }

    private static String manyOrders(String status) {
        return IntStream.rangeClosed(0, 10_000)
                .mapToObj(number -> object("Order", "old-" + number, FREEZE, status))
                .collect(Collectors.joining(","));
    }

    @Test
    void finishedOrdersKeepNoNewOneWaiting() {
        lists.put("orders", manyOrders("{'phase': 'Accepted'}") + "," + object("Order", "new", FREEZE, "{}"));
        pass.run(tables);
        assertThat(statusOf("orders/new")).contains("is being written to Kafka");
        assertThat(listener.failures).isEmpty();
        assertThat(listener.passes).containsExactly("10007 objects, 0 conflicts");
    }

    @Test
    void tooManyOrdersAreAFailedList() {
        lists.put("orders", manyOrders("{}"));
        pass.run(tables);
        assertThat(listener.failures).singleElement().asString().startsWith("orders: there are more than 10000 orders");
        assertThat(listener.passes).as("the alert counts since the last one").isEmpty();
    }

    /** Otherwise a long list would take longer than the Lease, and two controllers would take it from each other for ever. */
    @Test
    void renewsTheLeaseWhileItReadsALongList() {
        passesAtPage = 6;
        morePages.set(1);
        pass.run(tables);
        String page = "GET " + OBJECTS + "policies";
        assertThat(requests).startsWith(page, "GET " + LEASE_PATH, "PATCH " + LEASE_PATH, page);
    }

    private static final class RecordedPasses implements SyncListener {
        private final List<String> passes = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();

        @Override
        public void passEnded(int objects, int conflicts) {
            passes.add(objects + " objects, " + conflicts + " conflicts");
        }

        @Override
        public void otherWorks(String holder) {}

        @Override
        public void rowWritten(String key) {}

        @Override
        public void kafkaFailed(String reason, String detail) {}

        @Override
        public void listFailed(String kinds, String reason) {
            failures.add(kinds + ": " + reason);
        }

        @Override
        public void objectFailed(String object, String reason) {
            failures.add(object + ": " + reason);
        }

        @Override
        public void reconcileFailed(String object, RuntimeException bug) {
            failures.add(object + ": " + bug);
        }

        @Override
        public void loopFailed(Throwable bug) {}
    }
}
