package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.flotilla.testkit.prometheus.LocalPrometheus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every query of every dashboard, asked of a real Prometheus that has scraped what the processes of a real demonstration said.
 * {@code deploy/dashboards/record} records that anew.
 */
@EnabledIf(value = "isThere", disabledReason = LocalPrometheus.ABSENT)
class DashboardsIT {
    private static final Path FOLDER = Ran.ROOT.resolve("deploy/dashboards");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Short, since two scrapes are all that rates need. */
    private static final String SCRAPE = """
            global: {scrape_interval: 200ms, scrape_timeout: 200ms}
            scrape_configs:
              - job_name: flotilla
                static_configs: [{targets: [TARGETS]}]
            """;

    @TempDir
    static Path folder;

    private static final List<HttpServer> SERVED = new ArrayList<>();
    private static final String PART = "recorded_part";
    private static LocalPrometheus prometheus;
    private static volatile boolean saysTheSecond;

    static boolean isThere() {
        return LocalPrometheus.isThere();
    }

    /** A query of a panel. */
    record Query(String dashboard, String panel, String expression) {
        @Override
        public String toString() {
            return dashboard + ": " + panel + ": " + expression;
        }
    }

    @BeforeAll
    static void scrapeWhatWasRecorded() throws Exception {
        List<String> targets = new ArrayList<>();
        for (Map.Entry<String, List<byte[]>> process : recorded().entrySet()) {
            targets.add("'127.0.0.1:" + serve(process.getValue()) + "'");
        }
        assertThat(targets).hasSizeGreaterThanOrEqualTo(5);
        prometheus = LocalPrometheus.start(folder, SCRAPE.replace("TARGETS", String.join(", ", targets)));
        awaitPart(1, targets.size());
        saysTheSecond = true;
        awaitPart(2, targets.size());
    }

    /** A scrape that was answered may have come too late to be taken in, so it is Prometheus that is asked. */
    private static void awaitPart(int part, int targets) throws Exception {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (series(PART + " == " + part).size() < targets) {
            assertThat(System.nanoTime()).as(prometheus::log).isLessThan(until);
        }
    }

    @AfterAll
    static void stop() {
        if (prometheus != null) {
            prometheus.close();
        }
        SERVED.forEach(server -> server.stop(0));
    }

    /** What each process said, the first time and the second. */
    private static Map<String, List<byte[]>> recorded() throws IOException {
        Map<String, List<byte[]>> processes = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER.resolve("recorded"))) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                processes
                        .computeIfAbsent(name.substring(0, name.indexOf('.')), key -> new ArrayList<>())
                        .add(Files.readAllBytes(file));
            }
        }
        return processes;
    }

    /** Says what was said first until Prometheus has that, and from then on what was said later. */
    private static int serve(List<byte[]> said) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            boolean second = saysTheSecond;
            byte[] part = (PART + " " + (second ? 2 : 1) + "\n").getBytes(StandardCharsets.UTF_8);
            byte[] body = second ? said.getLast() : said.getFirst();
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length + part.length);
            exchange.getResponseBody().write(part);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        SERVED.add(server);
        return server.getAddress().getPort();
    }

    static List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (Path file : dashboards()) {
            JsonObject dashboard = read(file);
            for (JsonObject panel : list(dashboard, "panels")) {
                for (JsonObject target : list(panel, "targets")) {
                    queries.add(new Query(
                            dashboard.getString("title"), panel.getString("title"), target.getString("expr")));
                }
            }
        }
        return queries;
    }

    @ParameterizedTest
    @MethodSource("queries")
    void givesData(Query query) throws Exception {
        String expression = query.expression().replace("$__rate_interval", "1m").replace("$site", ".*");
        assertThat(series(expression))
                .as("series that Prometheus has for %s", expression)
                .isNotEmpty();
    }

    private static JsonArray series(String expression) throws Exception {
        URI uri = prometheus
                .uri()
                .resolve("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        HttpResponse<String> answer = CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonObject("data").getJsonArray("result");
    }

    @Test
    void dashboardsHaveNamesOfTheirOwnAndPanelsThatSayWhatTheyShow() {
        List<String> uids = new ArrayList<>();
        for (Path file : dashboards()) {
            JsonObject dashboard = read(file);
            uids.add(dashboard.getString("uid"));
            List<Integer> ids = new ArrayList<>();
            for (JsonObject panel : list(dashboard, "panels")) {
                ids.add(panel.getInteger("id"));
                assertThat(panel.getString("title")).isNotBlank();
                assertThat(list(panel, "targets")).as(panel.getString("title")).isNotEmpty();
            }
            assertThat(ids).as("panels of %s", file).isNotEmpty().doesNotHaveDuplicates();
        }
        assertThat(uids).hasSize(4).doesNotHaveDuplicates();
    }

    private static List<Path> dashboards() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith("-dashboard.json"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonObject> list(JsonObject of, String name) {
        JsonArray array = of.getJsonArray(name);
        return array.stream().map(JsonObject.class::cast).toList();
    }

    private static JsonObject read(Path file) {
        try {
            return new JsonObject(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
