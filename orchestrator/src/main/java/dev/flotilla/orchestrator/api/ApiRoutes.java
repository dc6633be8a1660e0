package dev.flotilla.orchestrator.api;

import dev.flotilla.kafka.OpenTransaction;
import dev.flotilla.orchestrator.api.events.EventSubscriptionHandler;
import dev.flotilla.orchestrator.api.query.BlockedMachineCache;
import dev.flotilla.orchestrator.api.query.FleetMapCache;
import dev.flotilla.orchestrator.api.query.StateQueryClient;
import dev.flotilla.orchestrator.metrics.FleetMetrics;
import dev.flotilla.orchestrator.state.EventRingBuffer;
import dev.flotilla.orchestrator.state.StateQueries;
import dev.flotilla.runtime.http.JsonResponseWriter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All routes of the API. The HTTP server mounts them: {@code ApplicationHttpServer.start(…, api::mount)}. */
public final class ApiRoutes {
    private final List<ApiOperation<?>> operations = new ArrayList<>();
    private final ApiRequestMetrics metrics;
    private final EventSubscriptionHandler subscriptions;
    private final FleetMetrics fleetMetrics;
    private final String openApiDocument;

    /**
     * Creates the API on these state queries.
     *
     * @param openTransactions open transactions that block inputs, as last seen
     */
    public ApiRoutes(
            Vertx vertx,
            StateQueries stateQueries,
            EventRingBuffer events,
            Supplier<List<OpenTransaction>> openTransactions,
            MeterRegistry registry) {
        StateQueryClient stateQueryClient = new StateQueryClient(vertx, stateQueries);
        operations.addAll(new FleetApiOperations(
                        stateQueryClient,
                        new BlockedMachineCache(vertx, stateQueryClient),
                        new FleetMapCache(vertx, stateQueryClient),
                        openTransactions)
                .listOperations());
        operations.addAll(new MachineApiOperations(stateQueryClient, events).listOperations());
        metrics = new ApiRequestMetrics(registry);
        subscriptions = new EventSubscriptionHandler(vertx, events);
        openApiDocument = OpenApiDocument.generate(operations);
        Gauge.builder("flotilla.api.listeners", subscriptions, EventSubscriptionHandler::countListeners)
                .description("Clients that follow the event stream now.")
                .register(registry);
        fleetMetrics = new FleetMetrics(vertx, stateQueryClient, registry);
    }

    public void mount(Router router) {
        operations.forEach(apiOperation -> apiOperation.mount(router, metrics));
        router.route(HttpMethod.GET, OpenApiDocument.EVENTS)
                .method(HttpMethod.HEAD)
                .handler(subscriptions::handle);
        router.route(HttpMethod.GET, OpenApiDocument.PATH)
                .method(HttpMethod.HEAD)
                .handler(ctx -> ctx.response()
                        .putHeader("Content-Type", JsonResponseWriter.TYPE)
                        .end(openApiDocument));
    }

    /** Refreshes the fleet's metrics from now on; completes after the first refresh. */
    public Future<Void> refreshMetrics() {
        return fleetMetrics.refreshMetrics();
    }

    /** The OpenAPI document that the API serves. */
    public String openApiDocument() {
        return openApiDocument;
    }
}
