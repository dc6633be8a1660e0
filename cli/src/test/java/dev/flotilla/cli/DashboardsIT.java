package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs every query of every dashboard against a real Prometheus, which has scraped recorded metrics of a real
 * demonstration. {@code deploy/dashboards/record} records them again.
 */
@EnabledIf(value = LocalPrometheus.PRESENT, disabledReason = LocalPrometheus.ABSENT)
class DashboardsIT {
    private static final Path FOLDER = CliResult.ROOT.resolve("deploy/dashboards");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");
    private static final Pattern SITE_LINK = Pattern.compile("/d/flotilla-site\\?var-site=\\$\\{__[a-z.]+}");
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** Short, because rates need only two scrapes. */
    private static final String SCRAPE = """
            global: {scrape_interval: 200ms, scrape_timeout: 200ms}
            scrape_configs:
              - job_name: flotilla
                static_configs: [{targets: [TARGETS], labels: {fleet: north}}]
            """;

    @TempDir
    static Path folder;

    private static final List<HttpServer> SERVED = new ArrayList<>();
    private static final String PART = "recorded_part";

    /** Prometheus adds it to what it scrapes. */
    private static final String OF_EACH_TARGET = "fleet";

    private static LocalPrometheus prometheus;
    private static volatile boolean saysTheSecond;

    /** A query of a panel, or of an annotation, which shows in all panels. */
    record Query(JsonObject dashboard, JsonObject panel, JsonObject target, String expression) {
        @Override
        public String toString() {
            return dashboard.getString("title") + ": " + panel.getString("title", panel.getString("name")) + ": "
                    + expression;
        }
    }

    @BeforeAll
    static void scrapeRecordedMetrics() throws Exception {
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

    /** Waits until Prometheus shows the scrape, because it may discard one that was served. */
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

    /** Recorded scrapes of each process: the first and the second. */
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

    /** Serves the first scrape until Prometheus has it, then the second. */
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
            for (JsonObject panel : panels(dashboard)) {
                for (JsonObject target : list(panel, "targets")) {
                    queries.add(new Query(dashboard, panel, target, target.getString("expr")));
                }
            }
        }
        return queries;
    }

    static List<Query> queriesWithAnnotations() {
        List<Query> queries = queries();
        for (Path file : dashboards()) {
            JsonObject dashboard = read(file);
            for (JsonObject annotation : annotations(dashboard)) {
                // Nothing is frozen in the recording: what is compared must have data.
                String expression = annotation.getString("expr").replaceFirst(" > 0$", "");
                queries.add(new Query(dashboard, annotation, annotation, expression));
            }
        }
        return queries;
    }

    private static List<JsonObject> annotations(JsonObject dashboard) {
        JsonObject annotations = dashboard.getJsonObject("annotations");
        return annotations == null ? List.of() : list(annotations, "list");
    }

    /** The panels without the titles of rows. */
    private static List<JsonObject> panels(JsonObject dashboard) {
        return list(dashboard, "panels").stream()
                .filter(panel -> !panel.getString("type").equals("row"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("queriesWithAnnotations")
    void queryReturnsData(Query query) throws Exception {
        String expression =
                DashboardVariables.of(query.dashboard(), DashboardsIT::values).resolve(query.expression());
        assertThat(series(expression))
                .as("series that Prometheus has for %s", expression)
                .isNotEmpty();
    }

    @Test
    void rejectsAnUndeclaredVariable() {
        JsonObject without = new JsonObject("{\"templating\": {\"list\": []}}");
        DashboardVariables variables = DashboardVariables.of(without, query -> List.of());
        assertThatThrownBy(() -> variables.resolve("max(flotilla_site_withheld_removals{site=~\"$site\"})"))
                .hasMessageContaining("$site is not declared");
        assertThat(variables.resolve("rate(x[$__rate_interval])")).doesNotContain("$");
    }

    @ParameterizedTest
    @MethodSource("queriesWithAnnotations")
    void queryUsesExistingMetricsAndLabels(Query query) throws IOException {
        MetricsReferencePage page = MetricsReferencePage.read();
        for (MetricsReferencePage.MetricSeries asked : MetricsReferencePage.seriesInQuery(query.expression())) {
            assertThat(page.labels(asked.name()))
                    .as("%s of docs/metrics.md", asked.name())
                    .isNotNull();
            Set<String> labels = new TreeSet<>(asked.labels());
            assertThat(labels.remove(OF_EACH_TARGET))
                    .as("one Prometheus may have several fleets: %s has the label fleet", asked.name())
                    .isTrue();
            assertThat(page.labels(asked.name()))
                    .as("labels of %s", asked.name())
                    .containsAll(labels);
        }
    }

    /** Otherwise the recording could contain metrics that no process exports any more. */
    @Test
    void recordedMetricsAreTheRegisteredOnes() throws IOException {
        MetricsReferencePage page = MetricsReferencePage.read();
        Set<String> names = new TreeSet<>();
        for (List<byte[]> process : recorded().values()) {
            for (byte[] said : process) {
                for (MetricsReferencePage.MetricSeries metricSeries :
                        MetricsReferencePage.seriesInScrape(new String(said, StandardCharsets.UTF_8))) {
                    names.add(page.base(metricSeries.name()));
                    Set<String> labels = new TreeSet<>(metricSeries.labels());
                    if (MetricsReferencePage.OF_EACH_PROCESS.contains(metricSeries.name())) {
                        labels.remove("site");
                    }
                    assertThat(page.labels(metricSeries.name()))
                            .as("labels of %s; run deploy/dashboards/record", metricSeries.name())
                            .isNotNull()
                            .containsExactlyInAnyOrderElementsOf(labels);
                }
            }
        }
        assertThat(names)
                .as("what was recorded; run deploy/dashboards/record")
                .containsExactlyElementsOf(page.metrics().keySet());
    }

    /** A counter starts at 0 with its process, so panels over time show its increase. */
    @ParameterizedTest
    @MethodSource("queriesWithAnnotations")
    void countersAreShownAsIncrease(Query query) throws IOException {
        MetricsReferencePage page = MetricsReferencePage.read();
        for (MetricsReferencePage.MetricSeries asked : MetricsReferencePage.seriesInQuery(query.expression())) {
            if (page.isCounter(asked.name())) {
                assertThat(query.expression())
                        .containsPattern("(rate|increase)\\(" + asked.name() + "(\\{[^}]*})?\\[[^]]+]");
            }
        }
    }

    @Test
    void eachPanelHasOneUnit() throws IOException {
        for (Query query : queries()) {
            String expression = query.expression();
            String metric = MetricsReferencePage.seriesInQuery(expression).stream()
                    .map(MetricsReferencePage.MetricSeries::name)
                    .findFirst()
                    .orElse("");
            boolean counts = expression.startsWith("count(") || metric.endsWith("_count");
            assertThat(unit(query).equals("s")).as(query.toString()).isEqualTo(metric.contains("_seconds") && !counts);
        }
    }

    /** The unit of a panel; in a table, of the column of the query. */
    private static String unit(Query query) {
        JsonObject config = query.panel().getJsonObject("fieldConfig");
        String unit = config.getJsonObject("defaults").getString("unit");
        if (!query.panel().getString("type").equals("table")) {
            return unit;
        }
        String column = columns(query.panel()).get("Value #" + query.target().getString("refId"));
        assertThat(column).as("name of the column of %s", query).isNotBlank();
        return list(config, "overrides").stream()
                .filter(override ->
                        override.getJsonObject("matcher").getString("options").equals(column))
                .flatMap(override -> list(override, "properties").stream())
                .filter(property -> property.getString("id").equals("unit"))
                .map(property -> property.getString("value"))
                .findFirst()
                .orElse(unit);
    }

    /** The names that a table gives to the values of its queries. */
    private static Map<String, String> columns(JsonObject table) {
        Map<String, String> columns = new TreeMap<>();
        for (JsonObject transformation : list(table, "transformations")) {
            JsonObject renamed = transformation.getJsonObject("options").getJsonObject("renameByName");
            if (renamed != null) {
                renamed.forEach(each -> columns.put(each.getKey(), (String) each.getValue()));
            }
        }
        return columns;
    }

    /** Values of a variable's query, read as Grafana does. */
    private static List<String> values(String query) {
        Matcher asked = LABEL_VALUES.matcher(query);
        assertThat(asked.matches()).as(query).isTrue();
        try {
            return answer("/api/v1/label/" + asked.group(2) + "/values?match[]=" + encoded(asked.group(1)))
                    .getJsonArray("data")
                    .stream()
                    .map(String.class::cast)
                    .toList();
        } catch (Exception e) {
            throw new IllegalStateException(query, e);
        }
    }

    private static JsonArray series(String expression) throws Exception {
        return answer("/api/v1/query?query=" + encoded(expression))
                .getJsonObject("data")
                .getJsonArray("result");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static JsonObject answer(String path) throws Exception {
        URI uri = prometheus.uri().resolve(path.replace("[]", "%5B%5D"));
        HttpResponse<String> answer = CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body());
    }

    @Test
    void dashboardsHaveUniqueNamesAndDescribedPanels() {
        List<String> uids = new ArrayList<>();
        for (Path file : dashboards()) {
            JsonObject dashboard = read(file);
            uids.add(dashboard.getString("uid"));
            List<Integer> ids = new ArrayList<>();
            for (JsonObject panel : list(dashboard, "panels")) {
                ids.add(panel.getInteger("id"));
                assertThat(panel.getString("title")).isNotBlank();
            }
            for (JsonObject panel : panels(dashboard)) {
                assertThat(panel.getString("description"))
                        .as("description of %s", panel.getString("title"))
                        .isNotBlank();
                assertThat(list(panel, "targets")).as(panel.getString("title")).isNotEmpty();
            }
            assertThat(ids).as("panels of %s", file).isNotEmpty().doesNotHaveDuplicates();
        }
        assertThat(uids).hasSize(5).doesNotHaveDuplicates();
    }

    /** A line of a site's figures is the way to the site. */
    @Test
    void dashboardsMarkFreezesAndCampaignsAndLeadToTheSite() {
        List<String> links = new ArrayList<>();
        for (Path file : dashboards()) {
            JsonObject dashboard = read(file);
            if (!file.toString().contains("extension")) {
                assertThat(annotations(dashboard).stream().map(each -> each.getString("name")))
                        .as("annotations of %s", file)
                        .containsExactly("Freezes", "Campaigns");
            }
            for (JsonObject panel : panels(dashboard)) {
                Matcher link = SITE_LINK.matcher(panel.encode());
                while (link.find()) {
                    links.add(panel.getString("title"));
                }
            }
        }
        assertThat(links).contains("Sites", "Succeeded machines, by site");
    }

    static List<Path> dashboards() {
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
