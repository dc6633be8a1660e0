package dev.flotilla.orchestrator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.flotilla.orchestrator.page.Page;
import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.runtime.config.ServerConfig;
import dev.flotilla.runtime.http.Health;
import dev.flotilla.runtime.http.HttpEndpoint;
import dev.flotilla.runtime.http.Probes;
import dev.flotilla.runtime.metrics.Metrics;
import io.vertx.core.Vertx;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The API on a port of its own, with a fleet behind it. */
final class TestServer {
    static final int RING = 16;

    final TestFleet fleet = new TestFleet();
    final EventRing ring;
    final Vertx vertx = Vertx.vertx();
    final Metrics metrics = new Metrics("orchestrator");
    final Api api;
    final Page page = new Page();
    final HttpEndpoint endpoint;
    final HttpClient client = HttpClient.newHttpClient();

    TestServer() throws Exception {
        this(ServerConfig.DEFAULT, RING);
    }

    TestServer(ServerConfig config, int eventsKept) throws Exception {
        ring = new EventRing(eventsKept);
        api = new Api(vertx, fleet, ring, List::of, metrics.registry());
        Probes probes =
                new Probes(() -> Health.good("alive"), () -> Health.good(fleet.standing.label()), metrics::scrape);
        endpoint = HttpEndpoint.start(
                        vertx,
                        config,
                        probes,
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
