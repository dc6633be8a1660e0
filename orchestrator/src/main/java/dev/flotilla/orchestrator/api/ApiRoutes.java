package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.EventRingBuffer;
import dev.flotilla.orchestrator.view.StateQueries;
import dev.flotilla.runtime.http.JsonResponseWriter;
import dev.flotilla.runtime.kafka.OpenTransaction;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The whole API. Handed to the HTTP server as its routes: {@code ApplicationHttpServer.start(…, api::mount)}. */
public final class ApiRoutes {
    private final List<ApiOperation<?>> operations = new ArrayList<>();
    private final ApiRequestMetrics metrics;
    private final EventSubscriptionHandler streams;
    private final FleetMetrics fleet;
    private final String openApiDocument;

    /**
     * An API that asks these questions.
     *
     * @param heldBack inputs that wait for an open transaction, as they were seen last
     */
    public ApiRoutes(
            Vertx vertx,
            StateQueries stateQueries,
            EventRingBuffer events,
            Supplier<List<OpenTransaction>> heldBack,
            MeterRegistry registry) {
        StateQueryClient stateQueryClient = new StateQueryClient(vertx, stateQueries);
        operations.addAll(new FleetApiOperations(
                        stateQueryClient,
                        new BlockedMachineCache(vertx, stateQueryClient),
                        new FleetMapCache(vertx, stateQueryClient),
                        heldBack)
                .all());
        operations.addAll(new MachineApiOperations(stateQueryClient, events).all());
        metrics = new ApiRequestMetrics(registry);
        streams = new EventSubscriptionHandler(vertx, events);
        openApiDocument = OpenApiDocument.generate(operations);
        Gauge.builder("flotilla.api.listeners", streams, EventSubscriptionHandler::countListeners)
                .description("Who follows the events over HTTP now.")
                .register(registry);
        fleet = new FleetMetrics(vertx, stateQueryClient, registry);
    }

    /** Adds the routes. */
    public void mount(Router router) {
        operations.forEach(apiOperation -> apiOperation.mount(router, metrics));
        router.route(HttpMethod.GET, OpenApiDocument.EVENTS)
                .method(HttpMethod.HEAD)
                .handler(streams::handle);
        router.route(HttpMethod.GET, OpenApiDocument.PATH)
                .method(HttpMethod.HEAD)
                .handler(ctx -> ctx.response()
                        .putHeader("Content-Type", JsonResponseWriter.TYPE)
                        .end(openApiDocument));
    }

    /** Counts the fleet for whoever scrapes, from now on; completed when it was counted once. */
    public Future<Void> refreshMetrics() {
        return fleet.refreshMetrics();
    }

    /** The OpenAPI document, as it is served. */
    public String openApiDocument() {
        return openApiDocument;
    }
}
