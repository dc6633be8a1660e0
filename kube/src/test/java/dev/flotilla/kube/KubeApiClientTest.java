package dev.flotilla.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeApiClientTest {
    private static final Pattern LIMIT = Pattern.compile("limit=(\\d+)");
    private static final byte[] OBJECT = "{\"kind\":\"Node\"}".getBytes(StandardCharsets.UTF_8);

    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServer server;
    private volatile String answer = "";
    /** The items of the list, how many of them were served, and whether pages ignore their limit. */
    private volatile int listed;

    private final AtomicInteger served = new AtomicInteger();
    private volatile boolean ignoresLimit;
    private final List<String> queries = new CopyOnWriteArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/whole", exchange -> {
            exchange.sendResponseHeaders(200, OBJECT.length);
            exchange.getResponseBody().write(OBJECT);
            exchange.close();
        });
        server.createContext("/given", exchange -> {
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.createContext("/list", exchange -> {
            String query = exchange.getRequestURI().getQuery();
            queries.add(query);
            Matcher limit = LIMIT.matcher(query);
            int most = limit.find() ? Integer.parseInt(limit.group(1)) : 0;
            int count = Math.min(ignoresLimit ? Integer.MAX_VALUE : most, listed - served.get());
            int now = served.addAndGet(count);
            String items = String.join(",", Collections.nCopies(count, "{\"kind\":\"Node\"}"));
            byte[] bytes = "{\"metadata\":{\"continue\":\"%s\"},\"items\":[%s]}"
                    .formatted(now < listed ? now : "", items)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.createContext("/elsewhere", exchange -> {
            exchange.getResponseHeaders().add("Location", "/whole");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.createContext("/half", exchange -> {
            exchange.sendResponseHeaders(200, OBJECT.length);
            exchange.getResponseBody().write(OBJECT, 0, OBJECT.length / 2);
            exchange.getResponseBody().flush();
            awaitHandlers();
        });
        server.start();
    }

    private void awaitHandlers() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
    }

    @Test
    void readsWholeResponse() {
        try (KubeApiClient api = new KubeApiClient(config(10_000), 1)) {
            assertThat(api.get("/whole"))
                    .isInstanceOfSatisfying(
                            KubeResponse.SuccessResponse.class,
                            successResponse -> assertThat(
                                            successResponse.object().text("kind"))
                                    .isEqualTo("Node"));
        }
    }

    /** Returns a JSON array of texts with 60,000 characters each. */
    private static String texts(int count) {
        return "{\"items\":[" + ("\"" + "x".repeat(60_000) + "\",").repeat(count) + "\"\"]}";
    }

    @Test
    void limitsBytesAndValuesOfAResponse() {
        try (KubeApiClient api = new KubeApiClient(config(10_000), 1)) {
            answer = texts(50);
            assertThat(api.get("/given")).isInstanceOf(KubeResponse.NoResponse.class);
            assertThat(api.listPage("/given", "", "")).isInstanceOf(KubeResponse.SuccessResponse.class);
            answer = "{\"items\":[" + "{},".repeat(600_000) + "{}]}";
            assertThat(api.listPage("/given", "", ""))
                    .isEqualTo(new KubeResponse.NoResponse(
                            "an unreadable response (200): it has more than 500000 values"));
            answer = "{\"items\":[" + "{},".repeat(60_000) + "{}]}";
            assertThat(api.get("/given")).isInstanceOf(KubeResponse.NoResponse.class);
            assertThat(api.listPage("/given", "", "")).isInstanceOf(KubeResponse.SuccessResponse.class);
            answer = texts(150);
            assertThat(api.listPage("/given", "", "")).isInstanceOf(KubeResponse.NoResponse.class);
        }
    }

    private @Nullable String readList(int items, int most, List<KubeObject> read) {
        listed = items;
        served.set(0);
        queries.clear();
        try (KubeApiClient api = new KubeApiClient(config(10_000), 1)) {
            return api.forEachObject("/list", "&x=y", most, read::add);
        }
    }

    /** One object with a large annotation must not make a whole list unreadable. */
    @Test
    void readsTextsThatAreWholeFiles() {
        String file = "x".repeat(300_000);
        answer = "{\"items\":[{\"metadata\":{\"annotations\":{\"example.com/file\":\"" + file + "\"}}}]}";
        List<KubeObject> taken = new ArrayList<>();
        try (KubeApiClient client = new KubeApiClient(config(10_000), 1)) {
            assertThat(client.forEachObject("/given", "", 10, taken::add)).isNull();
        }
        assertThat(taken).hasSize(1);
        assertThat(taken.getFirst().annotation("example.com/file")).hasSize(300_000);
    }

    @Test
    void readsAListInPages() {
        List<KubeObject> read = new ArrayList<>();
        assertThat(readList(600, 1000, read)).isNull();
        assertThat(read).hasSize(600);
        assertThat(queries)
                .containsExactly("limit=250&x=y", "limit=250&x=y&continue=250", "limit=250&x=y&continue=500");
        assertThat(readList(0, 1000, read)).isNull();
    }

    @Test
    void asksForNoMoreThanTheMostThatACallerCanHold() {
        List<KubeObject> read = new ArrayList<>();
        assertThat(readList(600, 300, read)).isEqualTo("the list has more than 300 items");
        assertThat(read).hasSize(300);
        assertThat(queries).containsExactly("limit=250&x=y", "limit=50&x=y&continue=250");
        read.clear();
        assertThat(readList(300, 300, read)).isNull();
        assertThat(read).hasSize(300);
    }

    @Test
    void handsOverNoMoreIfAPageIgnoresItsLimit() {
        ignoresLimit = true;
        List<KubeObject> read = new ArrayList<>();
        assertThat(readList(5000, 300, read)).isEqualTo("the list has more than 300 items");
        assertThat(read).hasSize(300);
    }

    @Test
    void readsHealthCheckAsText() {
        try (KubeApiClient api = new KubeApiClient(config(10_000), 1)) {
            answer = "ok";
            assertThat(api.probe("/given")).isInstanceOf(KubeResponse.SuccessResponse.class);
            assertThat(api.probe("/nowhere")).matches(KubeResponse::isMissing);
        }
    }

    @Test
    void rejectsRedirectWithoutFollowingIt() {
        try (KubeApiClient api = new KubeApiClient(config(10_000), 1)) {
            assertThat(api.get("/elsewhere"))
                    .isEqualTo(new KubeResponse.ErrorResponse(302, "a redirect, which is not followed"));
        }
    }

    @Test
    void timesOutOnAResponseThatNeverEnds() {
        try (KubeApiClient api = new KubeApiClient(config(500), 1)) {
            assertThat(api.get("/half"))
                    .isInstanceOfSatisfying(
                            KubeResponse.NoResponse.class,
                            noResponse ->
                                    assertThat(noResponse.message()).isEqualTo("no complete response within 500ms"));
        }
    }

    @Test
    void tellsWhatCertainlyWasNotSent() throws IOException {
        JsonObjectReader body = new JsonObjectReader.Builder().build();
        try (KubeApiClient api = new KubeApiClient(config(500), 1)) {
            assertThat(api.createObject("/half", body))
                    .isInstanceOfSatisfying(
                            KubeResponse.NoResponse.class,
                            sent -> assertThat(sent.certainlyNotSent()).isFalse());
            assertThat(api.createObject("/whole", body, () -> false))
                    .isEqualTo(new KubeResponse.NoResponse("its time had passed", true));
        }
        Config nobody = config(500);
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody.setMasterUrl("http://127.0.0.1:" + closed.getLocalPort());
        }
        try (KubeApiClient api = new KubeApiClient(nobody, 1)) {
            assertThat(api.createObject("/whole", body))
                    .isInstanceOfSatisfying(
                            KubeResponse.NoResponse.class,
                            refused -> assertThat(refused.certainlyNotSent()).isTrue());
        }
    }

    private Config config(int timeoutMillis) {
        InetSocketAddress address = server.getAddress();
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://" + address.getHostString() + ":" + address.getPort())
                .withRequestTimeout(timeoutMillis)
                .build();
    }
}
