package dev.flotilla.nodeworker.checks;

import dev.flotilla.core.upgrade.FailedCheck;
import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.runtime.http.BearerTokenFile;
import dev.flotilla.schemas.row.CheckPlaceholders;
import dev.flotilla.schemas.row.HealthCheck;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs health checks concurrently, each within its timeout. */
public final class HealthCheckRunner implements AutoCloseable {
    /** Longest timeout of one request, however long the check may be retried. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final HealthCheckConfig config;
    private final RestrictedHttpClient restrictedHttpClient;

    public HealthCheckRunner(Vertx vertx, HealthCheckConfig config) {
        this.config = config;
        this.restrictedHttpClient = new RestrictedHttpClient(vertx, config.caFile());
    }

    /** Queries on the two clusters with a machine's objects. */
    public interface ClusterApiQueries {

        /** Runs a query on the management cluster. */
        @Nullable
        String queryManagementCluster(Function<KubeApiClient, @Nullable String> query);

        /** Runs a query on the workload cluster; returns why if it cannot be reached. */
        @Nullable
        String queryWorkloadCluster(Function<KubeApiClient, @Nullable String> query);
    }

    /**
     * Runs the checks and waits for all of them. Throws the bug of a check.
     *
     * @param names values of the placeholders
     * @return the checks that failed, in their order
     */
    public List<FailedCheck> runChecks(
            List<HealthCheck> checks, UnaryOperator<String> names, ClusterApiQueries clusterApiQueries)
            throws InterruptedException {
        Map<HealthCheck, Future<@Nullable String>> running = new LinkedHashMap<>();
        List<FailedCheck> findings = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (HealthCheck check : checks) {
                running.put(check, threads.<@Nullable String>submit(() -> problem(check, names, clusterApiQueries)));
            }
            for (Map.Entry<HealthCheck, Future<@Nullable String>> each : running.entrySet()) {
                String problem = resultOf(each.getKey(), each.getValue());
                if (problem != null) {
                    findings.add(new FailedCheck(each.getKey(), problem));
                }
            }
        }
        return findings;
    }

    /** Only an invalid name in an object is expected; whatever else a check throws is a bug. */
    private static @Nullable String resultOf(HealthCheck check, Future<@Nullable String> running)
            throws InterruptedException {
        try {
            return running.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KubeApiPath.InvalidNameException invalidName) {
                return "the check cannot be run: " + invalidName.getMessage();
            }
            throw new IllegalStateException("check " + check.name() + " failed with a bug", e.getCause());
        }
    }

    private @Nullable String problem(
            HealthCheck check, UnaryOperator<String> names, ClusterApiQueries clusterApiQueries)
            throws InterruptedException {
        Duration within = check.timeout().compareTo(LONGEST) < 0 ? check.timeout() : LONGEST;
        UnaryOperator<String> filled = text -> CheckPlaceholders.fill(text, names);
        return switch (check.probe()) {
            case HealthCheck.ObjectConditionProbe condition ->
                condition.management()
                        ? clusterApiQueries.queryManagementCluster(
                                api -> ObjectConditionCheck.findUnmetCondition(api, condition, filled))
                        : clusterApiQueries.queryWorkloadCluster(
                                api -> ObjectConditionCheck.findUnmetCondition(api, condition, filled));
            case HealthCheck.CelProbe cel ->
                cel.management()
                        ? clusterApiQueries.queryManagementCluster(new CelObjectCheck(cel, filled)::findProblem)
                        : clusterApiQueries.queryWorkloadCluster(new CelObjectCheck(cel, filled)::findProblem);
            case HealthCheck.HttpProbe http -> http(http, URI.create(filled.apply(http.url())), within);
            case HealthCheck.PromQlProbe query -> promql(query, filled.apply(query.query()), within);
        };
    }

    private @Nullable String http(HealthCheck.HttpProbe wanted, URI url, Duration within) throws InterruptedException {
        if (!config.allowed().contains(HttpOrigin.of(url))) {
            return HttpOrigin.of(url) + " is not allowed in this site; add it to checks.allowed of its node-workers";
        }
        return switch (restrictedHttpClient.get(url, null, within)) {
            case RestrictedHttpClient.FetchResult.NotFetched notFetched -> notFetched.reason();
            case RestrictedHttpClient.FetchResult.Fetched fetched ->
                ResponseBodyMatcher.findMismatch(
                        wanted, fetched.status(), fetched.body().getBytes());
        };
    }

    private @Nullable String promql(HealthCheck.PromQlProbe wanted, String query, Duration within)
            throws InterruptedException {
        URI server = config.prometheus();
        if (server == null) {
            return "the site has no Prometheus; set checks.prometheus of its node-workers";
        }
        String token;
        try {
            token = config.tokenFile() == null ? null : BearerTokenFile.read(config.tokenFile());
        } catch (BearerTokenFile.InvalidTokenException e) {
            return "the file of Prometheus' token " + e.getMessage();
        } catch (IOException e) {
            return "the file of Prometheus' token cannot be read";
        }
        URI url = URI.create(server.toString().replaceFirst("/+$", "") + "/api/v1/query?query="
                + KubeApiPath.encodeQueryValue(query));
        return switch (restrictedHttpClient.get(url, token, within)) {
            case RestrictedHttpClient.FetchResult.NotFetched notFetched -> notFetched.reason();
            case RestrictedHttpClient.FetchResult.Fetched fetched ->
                ResponseBodyMatcher.findMismatch(
                        wanted, fetched.status(), fetched.body().getBytes());
        };
    }

    @Override
    public void close() {
        restrictedHttpClient.close();
    }
}
