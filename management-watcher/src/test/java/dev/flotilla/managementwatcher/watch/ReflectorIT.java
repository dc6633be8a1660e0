package dev.flotilla.managementwatcher.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.ServedApiVersions;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.SiteId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reflector on an API server whose responses the test gives one by one. */
class ReflectorIT {
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int TIMEOUT_SECONDS = 30;

    private final BlockingQueue<HttpExchange> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> reported = new LinkedBlockingQueue<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicLong clock = new AtomicLong();
    private HttpServer server;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", requests::add);
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        api = new KubeApiClient(config, 4);
    }

    @AfterEach
    void stop() {
        stopped.countDown();
        server.stop(0);
        api.close();
    }

    @Test
    void listsAgainPeriodicallyAlsoIfNoWatchBreaks() throws Exception {
        startReflector(WatchedKind.MACHINES);
        respondToList("100");
        respondToWatch("100", OK);
        HttpExchange last = nextRequest("resourceVersion=100&");
        clock.addAndGet(3 * Reflector.RELIST_INTERVAL);
        respond(last, OK, "");
        respondToList("140");
        respondToWatch("140", OK);
        assertThat(reported).noneMatch(each -> each.contains("decreased"));
    }

    @Test
    void readsTheVersionBeforeItResumesABrokenWatch() throws Exception {
        startReflector(WatchedKind.MACHINES);
        respondToList("100");
        respondToWatch("100", UNAVAILABLE);
        respond(nextRequest("limit=1"), OK, emptyList("100"));
        respondToWatch("100", UNAVAILABLE);
        respond(nextRequest("limit=1"), OK, emptyList("40"));
        respondToList("41");
        respondToWatch("41", OK);
        assertThat(reported).contains("machines versions decreased from 100 to 41");
    }

    @Test
    void reportsForbiddenMachinePoolsAndGoesOn() throws Exception {
        startReflector(WatchedKind.MACHINE_POOLS);
        respond(nextRequest("limit=250"), FORBIDDEN, "{\"message\": \"no\"}");
        assertThat(reported.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("machinepools forbidden: 403 no");
    }

    @Test
    void reportsForbiddenMachinesAsAFailure() throws Exception {
        startReflector(WatchedKind.MACHINES);
        respond(nextRequest("limit=250"), FORBIDDEN, "{\"message\": \"no\"}");
        assertThat(reported.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo("machines failed: 403 no");
    }

    private void startReflector(WatchedKind watchedKind) throws Exception {
        Thread.ofVirtual()
                .start(new Reflector(
                        watchedKind,
                        new SiteId("east"),
                        api,
                        new ServedApiVersions(api),
                        new RecordingWatchEventHandler(),
                        stopped,
                        clock::get));
        respond(nextRequest("/apis/cluster.x-k8s.io"), OK, "{\"versions\": [{\"version\": \"v1beta2\"}]}");
        respond(
                nextRequest("/apis/cluster.x-k8s.io/v1beta2"),
                OK,
                "{\"resources\": [{\"name\": \"machines\"}, {\"name\": \"machinepools\"}]}");
    }

    private void respondToList(String version) throws Exception {
        respond(nextRequest("limit=250"), OK, emptyList(version));
    }

    private void respondToWatch(String version, int status) throws Exception {
        respond(nextRequest("resourceVersion=" + version + "&"), status, "");
    }

    private static String emptyList(String version) {
        return "{\"metadata\": {\"resourceVersion\": \"%s\"}, \"items\": []}".formatted(version);
    }

    private HttpExchange nextRequest(String what) throws InterruptedException {
        HttpExchange next = Objects.requireNonNull(requests.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS), what);
        assertThat(next.getRequestURI().toString()).contains(what);
        return next;
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private final class RecordingWatchEventHandler implements WatchEventHandler {
        @Override
        public void handleEvent(WatchEvent watchEvent) {
            // The cache handles events.
        }

        @Override
        public void kindInSync(WatchedKind watchedKind) {
            // The tests do not wait for it.
        }

        @Override
        public void storeRestored(WatchedKind watchedKind, long known, long now) {
            reported.add(watchedKind.plural() + " versions decreased from " + known + " to " + now);
        }

        @Override
        public void kindForbidden(WatchedKind watchedKind, String reason) {
            reported.add(watchedKind.plural() + " forbidden: " + reason);
        }

        @Override
        public void readFailed(WatchedKind watchedKind, String reason) {
            reported.add(watchedKind.plural() + " failed: " + reason);
        }
    }
}
