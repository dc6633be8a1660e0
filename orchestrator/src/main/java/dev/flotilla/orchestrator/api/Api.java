package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.view.EventRing;
import dev.flotilla.orchestrator.view.Questions;
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

/** The whole API. Handed to the HTTP server as its routes: {@code HttpEndpoint.start(…, api::mount)}. */
public final class Api {
    private final List<Operation<?>> operations = new ArrayList<>();
    private final ApiMetrics metrics;
    private final EventStreams streams;
    private final FleetMetrics fleet;
    private final String document;

    /**
     * An API that asks these questions.
     *
     * @param heldBack inputs that wait for an open transaction, as they were seen last
     */
    public Api(
            Vertx vertx,
            Questions questions,
            EventRing events,
            Supplier<List<OpenTransaction>> heldBack,
            MeterRegistry registry) {
        Asker asker = new Asker(vertx, questions);
        operations.addAll(
                new FleetOperations(asker, new GateSurveys(vertx, asker), new FleetSurveys(vertx, asker), heldBack)
                        .all());
        operations.addAll(new MachineOperations(asker, events).all());
        metrics = new ApiMetrics(registry);
        streams = new EventStreams(vertx, events);
        document = ApiDocument.of(operations);
        Gauge.builder("flotilla.api.listeners", streams, EventStreams::listeners)
                .description("Who follows the events over HTTP now.")
                .register(registry);
        fleet = new FleetMetrics(vertx, asker, registry);
    }

    /** Adds the routes. */
    public void mount(Router router) {
        operations.forEach(operation -> operation.mount(router, metrics));
        router.route(HttpMethod.GET, ApiDocument.EVENTS).method(HttpMethod.HEAD).handler(streams::handle);
        router.route(HttpMethod.GET, ApiDocument.PATH)
                .method(HttpMethod.HEAD)
                .handler(ctx ->
                        ctx.response().putHeader("Content-Type", JsonResponseWriter.TYPE).end(document));
    }

    /** Counts the fleet for whoever scrapes, from now on; completed when it was counted once. */
    public Future<Void> count() {
        return fleet.count();
    }

    /** The OpenAPI document, as it is served. */
    public String document() {
        return document;
    }
}
