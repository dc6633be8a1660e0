package dev.flotilla.orchestrator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flotilla.orchestrator.page.WebPageRoutes;
import dev.flotilla.orchestrator.state.EventRingBuffer;
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

/** An API server on a free port, with a test fleet. */
final class ApiTestServer {
    static final int EVENT_BUFFER_SIZE = 16;

    final TestFleet fleet = new TestFleet();
    final EventRingBuffer eventBuffer;
    final Vertx vertx = Vertx.vertx();
    final PrometheusMetrics metrics = new PrometheusMetrics("orchestrator");
    final ApiRoutes api;
    final WebPageRoutes page = new WebPageRoutes();
    final ApplicationHttpServer httpServer;
    final HttpClient client = HttpClient.newHttpClient();

    ApiTestServer() throws Exception {
        this(HttpServerConfig.DEFAULT, EVENT_BUFFER_SIZE);
    }

    ApiTestServer(HttpServerConfig config, int eventBufferSize) throws Exception {
        eventBuffer = new EventRingBuffer(eventBufferSize);
        api = new ApiRoutes(vertx, fleet, eventBuffer, List::of, metrics.registry());
        HealthAndMetricsRoutes healthAndMetricsRoutes = new HealthAndMetricsRoutes(
                () -> HealthStatus.healthy("alive"),
                () -> HealthStatus.healthy(fleet.replicaRole.label()),
                metrics::toPrometheusText);
        httpServer = ApplicationHttpServer.start(
                        vertx,
                        config,
                        healthAndMetricsRoutes,
                        router -> {
                            api.mount(router);
                            page.mount(router);
                        },
                        page::hasPath)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    HttpResponse<String> send(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(httpServer.uri().resolve(path)).build(), BodyHandlers.ofString());
    }

    JsonNode readJson(String path) throws Exception {
        return new ObjectMapper().readTree(send(path).body());
    }

    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        metrics.close();
        fleet.close();
    }
}
