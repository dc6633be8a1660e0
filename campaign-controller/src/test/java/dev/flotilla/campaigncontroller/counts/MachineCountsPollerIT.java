package dev.flotilla.campaigncontroller.counts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads from a server that answers as an orchestrator does; CampaignControllerIT reads from a real one. */
class MachineCountsPollerIT {
    private static final String FIRST = """
        {"campaigns": [
          {"campaign": "autumn", "uid": 12, "machines": 300, "remaining": 120, "inFlight": 20, "expectedEndAt": "2026-11-28T04:14:27.5Z"}],
         "nextCursor": "autumn"}
        """;
    private static final String SECOND = """
        {"campaigns": [
          {"campaign": "spring", "uid": 40, "machines": 7, "remaining": 7, "inFlight": 0, "unknown": {}},
          {"campaign": "without-numbers", "uid": 41}]}
        """;

    private static final SortedMap<String, MachineCounts> NONE = Collections.emptySortedMap();

    private final Vertx vertx = Vertx.vertx();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        vertx.close().await();
    }

    private OrchestratorApiConfig config(@Nullable Path token) {
        return new OrchestratorApiConfig(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"), token, null);
    }

    private void answer(int status, String first, String afterAutumn) {
        server.createContext("/api/v1/campaigns", exchange -> {
            String query = exchange.getRequestURI().getRawQuery();
            requests.add(query + " " + exchange.getRequestHeaders().getFirst("Authorization"));
            respond(exchange, status, query == null ? first : afterAutumn);
        });
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Test
    void readsAllPagesWithTheToken() throws Exception {
        answer(200, FIRST, SECOND);
        Path token = Files.writeString(folder.resolve("token"), "secret\n");

        assertThat(new MachineCountsReader(vertx, config(token)).read(NONE))
                .containsOnlyKeys("autumn", "spring")
                .containsEntry("autumn", new MachineCounts(12, 300, 120, 20, Instant.parse("2026-11-28T04:14:00Z"), ""))
                .containsEntry("spring", new MachineCounts(40, 7, 7, 0, null, ""));
        assertThat(requests).containsExactly("null Bearer secret", "after=autumn Bearer secret");
    }

    @Test
    void asksWhereTheMachinesOfAnIdleCampaignWait() throws Exception {
        answer(200, """
            {"campaigns": [
              {"campaign": "idle", "uid": 1, "machines": 7, "remaining": 6, "inFlight": 0, "state": "running"},
              {"campaign": "moves", "uid": 2, "machines": 7, "remaining": 6, "inFlight": 1, "state": "running"},
              {"campaign": "paused", "uid": 3, "machines": 7, "remaining": 6, "inFlight": 0, "state": "paused"},
              {"campaign": "unknown", "uid": 4, "machines": 7, "remaining": 6, "inFlight": 0, "state": "running"}]}
            """, "");
        server.createContext("/api/v1/campaigns/idle", exchange -> respond(exchange, 200, """
                    {"summary": {}, "gates": {"complete": true, "counts": [
                      {"gate": "freeze", "machines": 2}, {"gate": "maintenance-window", "machines": 4}]}}
                    """));
        server.createContext("/api/v1/campaigns/unknown", exchange -> respond(exchange, 404, "{}"));

        SortedMap<String, MachineCounts> read = new MachineCountsReader(vertx, config(null)).read(NONE);

        assertThat(read).containsOnlyKeys("idle", "moves", "paused", "unknown");
        assertThat(read.get("idle").waiting()).isEqualTo("4 machines wait at gate maintenance-window");
        assertThat(List.of("moves", "paused", "unknown"))
                .allSatisfy(name -> assertThat(read.get(name).waiting()).isEmpty());
        assertThat(requests).as("others are not asked about").containsExactly("null null");
    }

    @Test
    void keepsWhereMachinesWaitedWhileTheyAreCountedAgain() throws Exception {
        answer(200, """
            {"campaigns": [
              {"campaign": "idle", "uid": 1, "machines": 7, "remaining": 6, "inFlight": 0, "state": "running"}]}
            """, "");
        server.createContext("/api/v1/campaigns/idle", exchange -> respond(exchange, 200, """
                    {"gates": {"complete": false, "counts": [{"gate": "freeze", "machines": 2}]}}
                    """));

        MachineCountsReader reader = new MachineCountsReader(vertx, config(null));
        assertThat(reader.read(NONE).get("idle").waiting()).isEmpty();
        SortedMap<String, MachineCounts> before = new TreeMap<>();
        before.put("idle", new MachineCounts(1, 7, 6, 0, null, "6 machines wait at gate freeze"));
        assertThat(reader.read(before).get("idle").waiting())
                .as("until all are counted again")
                .isEqualTo("6 machines wait at gate freeze");
        before.put("idle", new MachineCounts(9, 7, 6, 0, null, "6 machines wait at gate freeze"));
        assertThat(reader.read(before).get("idle").waiting())
                .as("of another campaign")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 401, 503})
    void saysWhichStatusItGot(int status) {
        answer(status, FIRST, SECOND);

        assertThatThrownBy(() -> new MachineCountsReader(vertx, config(null)).read(NONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("status " + status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html>", "[]"})
    void refusesWhatIsNoObject(String body) {
        answer(200, body, SECOND);

        assertThatThrownBy(() -> new MachineCountsReader(vertx, config(null)).read(NONE))
                .isInstanceOf(IOException.class);
    }

    @Test
    void refusesATokenThatCannotBeSentWithoutShowingIt() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "secret\nX-Other: 1");

        assertThatThrownBy(() -> new MachineCountsReader(vertx, config(token)).read(NONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orchestrator.tokenFile")
                .hasMessageNotContaining("secret");
    }

    @Test
    void findsTheCountsOfACampaignAndNotThoseOfAnEarlierOneOfItsName() throws Exception {
        answer(200, FIRST, SECOND);
        BlockingQueue<String> problems = new LinkedBlockingQueue<>();
        try (MachineCountsPoller poller = MachineCountsPoller.start(vertx, config(null), problems::add)) {
            assertThat(problems.poll(60, TimeUnit.SECONDS)).isEmpty();

            assertThat(poller.find("autumn", 12)).isNotNull();
            assertThat(poller.find("autumn", 13)).isNull();
            assertThat(poller.find("winter", 12)).isNull();
        }
    }

    @Test
    void reportsThatNoOrchestratorAnswers() throws Exception {
        server.stop(0);
        BlockingQueue<String> problems = new LinkedBlockingQueue<>();
        try (MachineCountsPoller poller = MachineCountsPoller.start(vertx, config(null), problems::add)) {
            assertThat(problems.poll(60, TimeUnit.SECONDS)).isNotEmpty();
            assertThat(poller.find("autumn", 12)).isNull();
        }
    }
}
