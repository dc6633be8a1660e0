package dev.flotilla.orchestrator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flotilla.orchestrator.page.WebPageRoutes;
import dev.flotilla.orchestrator.view.EventRingBuffer;
import dev.flotilla.runtime.config.HttpServerConfig;
import dev.flotilla.runtime.http.ApplicationHttpServer;
import dev.flotilla.runtime.http.HealthAndMetricsRoutes;
import dev.flotilla.runtime.http.HealthStatus;
import dev.flotilla.runtime.metrics.PrometheusMetrics;
import io.vertx.core.Vertx;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The API on a port of its own, with a fleet behind it. */
final class ApiTestServer {
    static final int RING = 16;

    final TestFleet fleet = new TestFleet();
    final EventRingBuffer ring;
    final Vertx vertx = Vertx.vertx();
    final PrometheusMetrics metrics = new PrometheusMetrics("orchestrator");
    final ApiRoutes api;
    final WebPageRoutes page = new WebPageRoutes();
    final ApplicationHttpServer endpoint;
    final HttpClient client = HttpClient.newHttpClient();

    ApiTestServer() throws Exception {
        this(HttpServerConfig.DEFAULT, RING);
    }

    ApiTestServer(HttpServerConfig config, int eventsKept) throws Exception {
        ring = new EventRingBuffer(eventsKept);
        api = new ApiRoutes(vertx, fleet, ring, List::of, metrics.registry());
        HealthAndMetricsRoutes healthAndMetricsRoutes = new HealthAndMetricsRoutes(
                () -> HealthStatus.healthy("alive"),
                () -> HealthStatus.healthy(fleet.standing.label()),
                metrics::toPrometheusText);
        endpoint = ApplicationHttpServer.start(
                        vertx,
                        config,
                        healthAndMetricsRoutes,
                        router -> {
                            api.mount(router);
                            page.mount(router);
                        },
                        page::has)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(endpoint.uri().resolve(path)).build(), BodyHandlers.ofString());
    }

    JsonNode json(String path) throws Exception {
        return new ObjectMapper().readTree(get(path).body());
    }

    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        metrics.close();
        fleet.close();
    }
}
