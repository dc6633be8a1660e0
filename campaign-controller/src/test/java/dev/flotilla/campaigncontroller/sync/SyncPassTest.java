package dev.flotilla.campaigncontroller.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.campaigncontroller.config.HubClusterConfig;
import dev.flotilla.campaigncontroller.counts.MachineCountsSource;
import dev.flotilla.campaigncontroller.table.FleetTables;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.row.FleetHead;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pass over three Campaigns and two Policies of a stub of an API server, which fails for the Lease from the first write of an object on. */
class SyncPassTest {
    private static final HubClusterConfig HUB = HubClusterConfig.DEFAULT;
    private static final String LEASE_PATH =
            "/apis/coordination.k8s.io/v1/namespaces/flotilla/leases/flotilla-campaign-controller";
    private static final String OBJECTS = "/apis/flotilla.dev/v1/namespaces/flotilla/";
    private static final int UNAVAILABLE = 503;

    private final AtomicLong seconds = new AtomicLong();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final RecordedPasses listener = new RecordedPasses();
    private final FleetTables tables = new FleetTables(List.of());

    @TempDir
    private Path folder;

    private Vertx vertx;
    private KubeApiClient api;
    private SyncLease lease;
    private SyncPass pass;
    private volatile long passesAtWrite;

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
                new ManifestReconciler(objects, change -> {}, MachineCountsSource.NONE, () -> Instant.EPOCH),
                new OrderReconciler(objects, change -> {}, () -> Instant.EPOCH),
                listener);
        FleetHead head = new FleetHead(1, 1, Instant.EPOCH, "", FleetHead.FEATURE_LEVEL, true, List.of());
        tables.add(new ConsumedRecord(TablePartition.of(Table.HEAD), 0, 0, WireRecordCodec.encode(head)));
    }

    @AfterEach
    void stop() {
        api.close();
        vertx.close().await();
    }

    private void answer(HttpServerRequest request) {
        String call = request.method() + " " + request.path();
        requests.add(call);
        if (call.startsWith("PATCH " + OBJECTS)) {
            seconds.addAndGet(passesAtWrite);
        }
        if (request.path().equals(LEASE_PATH) && seconds.get() > 0) {
            request.response().setStatusCode(UNAVAILABLE).end();
        } else {
            request.response().putHeader("Content-Type", "application/json").end(bodyOf(request.path()));
        }
    }

    private static String bodyOf(String path) {
        return switch (path.replace(OBJECTS, "")) {
            case "campaigns" -> listOf("Campaign", "first", "second", "third");
            case "policies" -> listOf("Policy", "fleet", "east");
            case "orders" -> listOf("Order");
            default -> "{\"kind\": \"Lease\", \"metadata\": {\"name\": \"any\", \"resourceVersion\": \"7\"}}";
        };
    }

    private static String listOf(String kind, String... names) {
        List<String> items = new ArrayList<>();
        for (String name : names) {
            items.add("""
                {"apiVersion": "flotilla.dev/v1", "kind": "%s", "metadata": {"name": "%s", "namespace": "flotilla", "uid": "%s", "resourceVersion": "1",
                  "generation": 1, "creationTimestamp": "2026-03-01T02:14:00Z"}, "spec": {}}""".formatted(kind, name, name));
        }
        return "{\"metadata\": {\"resourceVersion\": \"9\"}, \"items\": [" + String.join(",", items) + "]}";
    }

    private List<String> written() {
        return requests.stream()
                .filter(request -> request.startsWith("PATCH " + OBJECTS))
                .toList();
    }

    @Test
    void goesOverTheObjectsOfAllKinds() {
        assertThat(lease.takeOrRenew()).isTrue();
        pass.run(tables);
        assertThat(written()).hasSize(5);
        assertThat(listener.passes).containsExactly("5 objects, 0 conflicts");
    }

    /** Each request to an API server that is silent takes until its timeout. */
    @Test
    void endsWhenTheLeaseIsLost() {
        assertThat(lease.takeOrRenew()).isTrue();
        requests.clear();
        passesAtWrite = 11;
        pass.run(tables);
        assertThat(requests)
                .containsExactly("GET " + OBJECTS + "policies", written().getFirst(), "GET " + LEASE_PATH);
        assertThat(lease.problem()).startsWith("503");
        assertThat(listener.passes).isEmpty();
    }

    private static final class RecordedPasses implements SyncListener {
        private final List<String> passes = new ArrayList<>();

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
        public void listFailed(String kinds, String reason) {}

        @Override
        public void objectFailed(String object, String reason) {}

        @Override
        public void loopFailed(Throwable bug) {}
    }
}
