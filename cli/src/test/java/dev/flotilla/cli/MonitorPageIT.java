package dev.flotilla.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.testkit.cert.CertificateAuthority;
import dev.flotilla.testkit.prometheus.LocalPrometheus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The configuration of docs/monitor.md, loaded by a real Prometheus, and the names of dashboards there. */
@EnabledIf(value = LocalPrometheus.PRESENT, disabledReason = LocalPrometheus.ABSENT)
class MonitorPageIT {
    private static final String RULES = "flotilla-rules.yaml";
    private static final Pattern CONFIG = Pattern.compile("```yaml\n# prometheus.yml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SERVICES =
            Pattern.compile("```yaml\n# prometheus-services.yml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern DISCOVERY = Pattern.compile("kubernetes_sd_configs: .*");
    private static final Pattern DASHBOARD = Pattern.compile("\\*(Flotilla: [^*]+)\\*");

    private static final int TARGETS = 9;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    @TempDir
    Path folder;

    @Test
    void prometheusLoadsTheConfigurationOfThePage() throws Exception {
        Matcher config = CONFIG.matcher(page());
        assertThat(config.find()).isTrue();
        Files.copy(DeployedObject.FOLDER.resolve("alerts").resolve(RULES), folder.resolve(RULES));
        Files.writeString(folder.resolve("flotilla.token"), "a-token-of-a-test");
        Files.writeString(
                folder.resolve("flotilla-ca.crt"),
                CertificateAuthority.create("flotilla").certificate());
        try (LocalPrometheus prometheus =
                        LocalPrometheus.start(folder, config.group(1).replace("/etc/prometheus/", folder + "/"));
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(answer(client, prometheus, "/api/v1/rules").getJsonArray("groups"))
                    .isNotEmpty();
            JsonArray targets = targets(client, prometheus);
            assertThat(targets)
                    .hasSize(TARGETS)
                    .allSatisfy(target -> assertThat(labels(target)).containsEntry("fleet", "north"));
            assertThat(targets.stream().filter(target -> labels(target).containsKey("site")))
                    .hasSize(2);
        }
    }

    /** Debian's Prometheus has no discovery in Kubernetes: that line is not checked. */
    @Test
    void prometheusAcceptsTheJobForServices() throws Exception {
        Matcher config = SERVICES.matcher(page());
        assertThat(config.find()).isTrue();
        String job =
                DISCOVERY.matcher(config.group(1)).replaceFirst("static_configs: [{targets: [worker.example:8443]}]");
        assertThat(job).isNotEqualTo(config.group(1));
        Files.writeString(folder.resolve("flotilla-node-worker.token"), "a-token-of-a-test");
        Files.writeString(
                folder.resolve("flotilla-ca.crt"),
                CertificateAuthority.create("flotilla").certificate());
        Path file = Files.writeString(folder.resolve("prometheus.yml"), job.replace("/etc/prometheus/", folder + "/"));

        Process check = new ProcessBuilder(LocalPrometheus.promtool().toString(), "check", "config", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void dashboardsOfThePageExist() throws Exception {
        List<String> named =
                DASHBOARD.matcher(page()).results().map(found -> found.group(1)).toList();
        assertThat(named).hasSize(5);
        for (String name : named) {
            assertThat(DashboardsIT.dashboards())
                    .anySatisfy(file -> assertThat(Files.readString(file)).contains("\"title\": \"" + name + "\""));
        }
    }

    private static String page() throws Exception {
        return Files.readString(CliResult.ROOT.resolve("docs/monitor.md"));
    }

    private static Map<String, Object> labels(Object target) {
        return Objects.requireNonNull(((JsonObject) target).getJsonObject("labels"))
                .getMap();
    }

    /** Prometheus knows its targets, one job after the other, some seconds after it is ready. */
    private static JsonArray targets(HttpClient client, LocalPrometheus prometheus) throws Exception {
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            JsonArray targets = answer(client, prometheus, "/api/v1/targets").getJsonArray("activeTargets");
            if (targets.size() >= TARGETS) {
                return targets;
            }
            assertThat(System.nanoTime()).as(prometheus::log).isLessThan(until);
        }
    }

    private static JsonObject answer(HttpClient client, LocalPrometheus prometheus, String path) throws Exception {
        URI uri = prometheus.uri().resolve(path);
        return new JsonObject(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                        .body())
                .getJsonObject("data");
    }
}
