package dev.flotilla.orchestrator.api;

import dev.flotilla.runtime.metrics.MetricLabel;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Counts and times API requests, by operation and response status. */
record ApiRequestMetrics(MeterRegistry registry) {
    private static final String REQUESTS = "flotilla.api.requests";

    void recordRequest(String operation, RoutingContext ctx) {
        Timer.Sample sample = Timer.start(registry);
        ctx.addEndHandler(ended -> sample.stop(Timer.builder(REQUESTS)
                .description("API requests, by operation and response status.")
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
