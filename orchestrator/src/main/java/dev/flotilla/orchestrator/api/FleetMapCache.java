package dev.flotilla.orchestrator.api;

import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The survey of the fleet under way and the newest one done, shared by all who ask, so that any number of pages costs what
 * one costs. Lives on the server's event loop.
 */
final class FleetMapCache {
    /** What is younger is not looked up again. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** After a survey nothing is asked for so many times as long as it took: a large fleet is surveyed less often. */
    private static final int REST = 9;

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private @Nullable RunningScan current;
    private @Nullable ApiResult<FleetMapResponse> newest;

    /** A survey, and when there is nothing more to wait for. */
    private record RunningScan(FleetMapScan found, Future<Void> done) {}

    FleetMapCache(Vertx vertx, StateQueryClient stateQueryClient) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
    }

    Future<ApiResult<FleetMapResponse>> readMap() {
        RunningScan runningScan = current;
        if (runningScan == null) {
            runningScan = begin();
            current = runningScan;
        }
        RunningScan asked = runningScan;
        return new PartialResultTimer(vertx).resultWithinTimeout(asked.done(), () -> best(asked));
    }

    private RunningScan begin() {
        long begun = System.nanoTime();
        FleetMapScan found = new FleetMapScan(stateQueryClient);
        return new RunningScan(found, found.runScan().onComplete(done -> {
            boolean complete = found.isComplete();
            newest = complete ? found.currentMap() : null;
            Duration rest = Duration.ofNanos(System.nanoTime() - begun).multipliedBy(REST);
            // What could not be found out is asked again by whoever comes next.
            Duration kept = !complete ? Duration.ofMillis(1) : rest.compareTo(FRESH) > 0 ? rest : FRESH;
            vertx.setTimer(Math.max(1, kept.toMillis()), stale -> current = null);
        }));
    }

    /** Of the survey before, where there was one: it is whole. */
    private ApiResult<FleetMapResponse> best(RunningScan runningScan) {
        ApiResult<FleetMapResponse> before = newest;
        return before != null ? before : runningScan.found().currentMap();
    }
}
