package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to an API server that serves few versions or asks for patience. */
class ObjectWriterTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final int VERSION_PATH_SEGMENTS = 4;

    private final List<String> requestPaths = new CopyOnWriteArrayList<>();
    private final WriteRateLimiter writeRateLimiter = new WriteRateLimiter(1_000, () -> 0);
    private volatile String served = "v1beta2";
    private volatile int status = 200;
    private HttpServer server;
    private KubeApiClient api;
    private ServedApiVersions versions;
    private ObjectWriter objectWriter;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/apis/cluster.x-k8s.io", this::respond);
        server.start();
        InetSocketAddress address = server.getAddress();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://" + address.getHostString() + ":" + address.getPort())
                .build();
        api = new KubeApiClient(config, 1);
        versions = new ServedApiVersions(api);
        objectWriter = new ObjectWriter(api, versions, writeRateLimiter, InstantSource.system());
    }

    private void respond(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        boolean versionsRequested = path.split("/", -1).length <= VERSION_PATH_SEGMENTS;
        if (!versionsRequested) {
            requestPaths.add(path);
        }
        byte[] body = (versionsRequested
                        ? "{\"versions\": [" + versionList() + "], \"resources\": [{\"name\": \"machines\"}]}"
                        : "{\"metadata\": {}}")
                .getBytes(StandardCharsets.UTF_8);
        int answer = versionsRequested ? 200 : status;
        if (answer == 429) {
            exchange.getResponseHeaders().set("Retry-After", "7");
        }
        exchange.sendResponseHeaders(answer, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String versionList() {
        return String.join(
                ", ",
                List.of(served.split(" ", -1)).stream()
                        .map(version -> "{\"version\": \"" + version + "\"}")
                        .toList());
    }

    @AfterEach
    void stop() {
        api.close();
        server.stop(0);
    }

    @Test
    void retryAfterPausesAllWrites() throws Exception {
        status = 429;
        assertThat(objectWriter.writeObject(annotationWrite()))
                .isInstanceOfSatisfying(
                        KubeResponse.ErrorResponse.class,
                        errorResponse ->
                                assertThat(errorResponse.retryAfterSeconds()).isEqualTo(7));
        assertThat(requestPaths).as("requested once and not retried at once").hasSize(1);
        assertThat(writeRateLimiter.acquirePermit()).isGreaterThanOrEqualTo(7 * SECOND);
    }

    @Test
    void writesInTheNewestKnownServedVersion() throws Exception {
        served = "v1beta1 v1beta2 v1beta3";
        assertThat(objectWriter.writeObject(annotationWrite())).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(requestPaths).containsExactly("/apis/cluster.x-k8s.io/v1beta2/namespaces/fleet/machines/w");
        assertThat(objectWriter.canWriteCondition(WatchedKind.MACHINES)).isTrue();
    }

    @Test
    void writesTheOldVersionWithoutAConditionIfOnlyThatIsServed() throws Exception {
        served = "v1beta1";
        assertThat(objectWriter.writeObject(annotationWrite())).isInstanceOf(KubeResponse.SuccessResponse.class);
        assertThat(requestPaths).containsExactly("/apis/cluster.x-k8s.io/v1beta1/namespaces/fleet/machines/w");
        assertThat(objectWriter.canWriteCondition(WatchedKind.MACHINES)).isFalse();
    }

    @Test
    void doesNotWriteInAnUnknownVersion() throws Exception {
        served = "v2";
        assertThat(objectWriter.writeObject(annotationWrite()))
                .satisfies(reply -> assertThat(reply.isMissing()).isTrue());
        assertThat(requestPaths).isEmpty();
    }

    private static AnnotationWrite annotationWrite() {
        TreeMap<String, @Nullable String> annotations = new TreeMap<>();
        annotations.put("v1beta2.k8sd.io/in-place-upgrade-status", "done");
        return new AnnotationWrite(new MachineKey(new SiteId("east"), "fleet", "w"), "u-1", 0, annotations, null);
    }
}
