package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** How often what is asked, how it ended, and how long it took. */
record ApiRequestMetrics(MeterRegistry registry) {
    private static final String REQUESTS = "flotilla.api.requests";

    void recordRequest(String operation, RoutingContext ctx) {
        Timer.Sample sample = Timer.start(registry);
        ctx.addEndHandler(ended -> sample.stop(Timer.builder(REQUESTS)
                .description("Questions to the API, by what was asked and how it ended.")
                .tags(List.of(
                        Tag.of(MetricLabel.OPERATION.label(), operation),
                        Tag.of(
                                MetricLabel.STATUS.label(),
                                ended.succeeded()
                                        ? Integer.toString(ctx.response().getStatusCode())
                                        : "gone")))
                .register(registry)));
    }
}
