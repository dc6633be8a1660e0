package dev.flotilla.runtime.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Comparator;
import java.util.function.Supplier;

/**
 * What a kubelet and a scraper ask of every process.
 *
 * @param alive whether the process should be left running
 * @param ready whether it does its work
 * @param scrape the metrics in Prometheus' text form
 */
public record Probes(Supplier<Health> alive, Supplier<Health> ready, Supplier<String> scrape) {
    public static final String ALIVE = "/healthz";
    public static final String READY = "/readyz";
    public static final String METRICS = "/metrics";

    static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** Whether a path may be asked without saying who one is: a kubelet has no token. */
    static boolean isOpen(String path) {
        return path.equals(ALIVE) || path.equals(READY);
    }

    void mount(Router router) {
        get(router, ALIVE).handler(ctx -> send(ctx, alive.get()));
        get(router, READY).handler(ctx -> send(ctx, ready.get()));
        get(router, METRICS)
                .handler(ctx ->
                        ctx.response().putHeader("Content-Type", METRICS_TYPE).end(scrape.get()));
    }

    private static Route get(Router router, String path) {
        return router.route(HttpMethod.GET, path).method(HttpMethod.HEAD);
    }

    private static void send(RoutingContext ctx, Health health) {
        ctx.response().setStatusCode(health.good() ? 200 : 503);
        Health sorted = new Health(
                health.good(),
                health.status(),
                health.parts().stream()
                        .sorted(Comparator.comparing(Health.Part::good))
                        .toList());
        Json.send(ctx.response(), Health.CODEC, sorted);
    }
}
