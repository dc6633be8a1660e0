package dev.flotilla.nodeworker.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.testkit.prometheus.LocalPrometheus;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of a real Prometheus; without one they are skipped and say so. */
@EnabledIf(value = LocalPrometheus.PRESENT, disabledReason = LocalPrometheus.ABSENT)
class PrometheusCheckIT {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    static Path folder;

    private static Vertx vertx;
    private static LocalPrometheus prometheus;
    private static HealthCheckRunner healthCheckRunner;

    @BeforeAll
    static void start() throws Exception {
        vertx = Vertx.vertx();
        prometheus = LocalPrometheus.start(folder, """
            global: {scrape_interval: 1s}
            scrape_configs:
              - job_name: itself
                static_configs: [{targets: ['127.0.0.1:PORT'], labels: {node: n-1}}]
            """);
        healthCheckRunner =
                new HealthCheckRunner(vertx, new HealthCheckConfig(List.of(), prometheus.uri(), null, null));
        long until = System.nanoTime() + PATIENCE_NANOS;
        while (ask("up{node=\"${node}\"}", "== 1") != null) {
            assertThat(System.nanoTime())
                    .as(() -> "it has begun to scrape itself: " + prometheus.log())
                    .isLessThan(until);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        healthCheckRunner.close();
        vertx.close().await();
        prometheus.close();
    }

    private static @Nullable String ask(String query, String expect) throws InterruptedException {
        HealthCheck check = new HealthCheck("it", new HealthCheck.PromQlProbe(query, expect), true, SOON, List.of());
        List<FailedCheck> findings = healthCheckRunner.runChecks(List.of(check), name -> "n-1", new Nobody());
        return findings.isEmpty() ? null : findings.getFirst().text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "vector(0.5)                               | <= 0.5 | -",
                "1 + 1                                     | == 2   | -",
                "sum(ALERTS{cluster=\"${cluster}\"}) or vector(0) | == 0 | -",
                "count(up{node=\"${node}\"})               | >= 1   | -",
                "sum(ALERTS)                               | == 0   | the query gives no value",
                "vector(0) / 0                             | == 0   | the value is NaN, not == 0",
                "vector(3)                                 | < 3    | the value is 3, not < 3",
            })
    void readsResultsOfARealPrometheus(String query, String expect, @Nullable String problem) throws Exception {
        assertThat(ask(query, expect)).isEqualTo(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = "sum(( | Prometheus answers 400: invalid parameter \"query\"")
    void reportsAnInvalidQueryWithPrometheusMessage(String query, String problem) throws Exception {
        assertThat(ask(query, "== 0")).startsWith(problem);
    }

    private static final class Nobody implements HealthCheckRunner.ClusterApiQueries {
        @Override
        public @Nullable String queryManagementCluster(Function<KubeApiClient, @Nullable String> question) {
            return "none";
        }

        @Override
        public @Nullable String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> question) {
            return "none";
        }
    }
}
