package dev.flotilla.runtime.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.function.Supplier;

/**
 * The routes for probes and metrics of every process.
 *
 * @param liveness whether the process should keep running
 * @param readiness whether it can do its work
 * @param metricsText the metrics in Prometheus' text form
 */
public record HealthAndMetricsRoutes(
        Supplier<HealthStatus> liveness, Supplier<HealthStatus> readiness, Supplier<String> metricsText) {
    public static final String ALIVE = "/healthz";
    public static final String READY = "/readyz";
    public static final String METRICS = "/metrics";

    static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Whether a path needs no authentication: a kubelet has no token. */
    static boolean isPublicPath(String path) {
        return path.equals(ALIVE) || path.equals(READY);
    }

    void mount(Router router) {
        get(router, ALIVE).handler(ctx -> send(ctx, liveness.get()));
        get(router, READY).handler(ctx -> send(ctx, readiness.get()));
        get(router, METRICS)
                .handler(ctx ->
                        ctx.response().putHeader("Content-Type", METRICS_TYPE).end(metricsText.get()));
    }

    private static Route get(Router router, String path) {
        return router.route(HttpMethod.GET, path).method(HttpMethod.HEAD);
    }

    private static void send(RoutingContext ctx, HealthStatus healthStatus) {
        ctx.response().setStatusCode(healthStatus.healthy() ? 200 : 503);
        HealthStatus sorted = new HealthStatus(
                healthStatus.healthy(),
                healthStatus.status(),
                healthStatus.parts().stream()
                        .sorted(Comparator.comparing(HealthStatus.ComponentHealth::healthy))
                        .toList());
        JsonResponseWriter.send(ctx.response(), HealthStatus.CODEC, sorted);
    }
}
