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

/** A reflector on an API server whose answers a test gives one by one. */
class ReflectorIT {
    private static final int OK = 200;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;
    private static final int PATIENCE = 30;

    private final BlockingQueue<HttpExchange> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong clock = new AtomicLong();
    private HttpServer server;
    private KubeApiClient api;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", asked::add);
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build();
        api = new KubeApiClient(config, 4);
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        api.close();
    }

    @Test
    void listsAgainAfterAWhileThoughEveryWatchEndsInOrder() throws Exception {
        begin(WatchedKind.MACHINES);
        list("100");
        watch("100", OK);
        HttpExchange last = next("resourceVersion=100&");
        clock.addAndGet(3 * Reflector.RELIST_INTERVAL);
        answer(last, OK, "");
        list("140");
        watch("140", OK);
        assertThat(told).noneMatch(each -> each.contains("went back"));
    }

    @Test
    void asksForTheVersionBeforeAWatchGoesOnThatBrokeOff() throws Exception {
        begin(WatchedKind.MACHINES);
        list("100");
        watch("100", UNAVAILABLE);
        answer(next("limit=1"), OK, listed("100"));
        watch("100", UNAVAILABLE);
        answer(next("limit=1"), OK, listed("40"));
        list("41");
        watch("41", OK);
        assertThat(told).contains("machines went back from 100 to 41");
    }

    @Test
    void whereMachinePoolsMayNotBeListedTheRestIsWatched() throws Exception {
        begin(WatchedKind.MACHINE_POOLS);
        answer(next("limit=250"), FORBIDDEN, "{\"message\": \"no\"}");
        assertThat(told.poll(PATIENCE, TimeUnit.SECONDS)).isEqualTo("machinepools hidden: 403 no");
    }

    @Test
    void whereMachinesMayNotBeListedNothingIsKnown() throws Exception {
        begin(WatchedKind.MACHINES);
        answer(next("limit=250"), FORBIDDEN, "{\"message\": \"no\"}");
        assertThat(told.poll(PATIENCE, TimeUnit.SECONDS)).isEqualTo("machines trouble: 403 no");
    }

    private void begin(WatchedKind watchedKind) throws Exception {
        Thread.ofVirtual()
                .start(new Reflector(
                        watchedKind,
                        new SiteId("east"),
                        api,
                        new ServedApiVersions(api),
                        new Taking(),
                        over,
                        clock::get));
        answer(next("/apis/cluster.x-k8s.io"), OK, "{\"versions\": [{\"version\": \"v1beta2\"}]}");
        answer(
                next("/apis/cluster.x-k8s.io/v1beta2"),
                OK,
                "{\"resources\": [{\"name\": \"machines\"}, {\"name\": \"machinepools\"}]}");
    }

    private void list(String version) throws Exception {
        answer(next("limit=250"), OK, listed(version));
    }

    private void watch(String version, int status) throws Exception {
        answer(next("resourceVersion=" + version + "&"), status, "");
    }

    private static String listed(String version) {
        return "{\"metadata\": {\"resourceVersion\": \"%s\"}, \"items\": []}".formatted(version);
    }

    private HttpExchange next(String what) throws InterruptedException {
        HttpExchange next = Objects.requireNonNull(asked.poll(PATIENCE, TimeUnit.SECONDS), what);
        assertThat(next.getRequestURI().toString()).contains(what);
        return next;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private final class Taking implements WatchEventHandler {
        @Override
        public void handleEvent(WatchEvent watchEvent) {
            // What it comes to is the view's.
        }

        @Override
        public void kindInSync(WatchedKind watchedKind) {
            // Nothing is waited for.
        }

        @Override
        public void storeRestored(WatchedKind watchedKind, long known, long now) {
            told.add(watchedKind.plural() + " went back from " + known + " to " + now);
        }

        @Override
        public void kindForbidden(WatchedKind watchedKind, String why) {
            told.add(watchedKind.plural() + " hidden: " + why);
        }

        @Override
        public void readFailed(WatchedKind watchedKind, String why) {
            told.add(watchedKind.plural() + " trouble: " + why);
        }
    }
}
