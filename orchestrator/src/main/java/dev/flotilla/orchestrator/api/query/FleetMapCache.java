package dev.flotilla.orchestrator.api.query;

import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The running and the newest scan for the map, shared by all requests, so the cost does not depend on the number of
 * open pages. Used on the server's event loop only.
 */
public final class FleetMapCache {
    /** A newer result than this is not scanned again. */
    private static final Duration MIN_PAUSE = Duration.ofSeconds(1);

    /** The pause after a scan is this many times as long as the scan took, so a large fleet is scanned less often. */
    private static final int PAUSE_FACTOR = 9;

    private final Vertx vertx;
    private final StateQueryClient stateQueryClient;
    private @Nullable RunningScan current;
    private @Nullable ApiResult<FleetMapResponse> newest;

    /** A scan, and a future that completes when it ends. */
    private record RunningScan(FleetMapScan scan, Future<Void> done) {}

    public FleetMapCache(Vertx vertx, StateQueryClient stateQueryClient) {
        this.vertx = vertx;
        this.stateQueryClient = stateQueryClient;
    }

    public Future<ApiResult<FleetMapResponse>> readMap() {
        RunningScan runningScan = current;
        if (runningScan == null) {
            runningScan = startScan();
            current = runningScan;
        }
        RunningScan shared = runningScan;
        return new PartialResultTimer(vertx).resultWithinTimeout(shared.done(), () -> bestResult(shared));
    }

    private RunningScan startScan() {
        long startedNanos = System.nanoTime();
        FleetMapScan scan = new FleetMapScan(stateQueryClient);
        return new RunningScan(scan, scan.runScan().onComplete(done -> {
            boolean complete = scan.isComplete();
            newest = complete ? scan.currentMap() : null;
            Duration pause = Duration.ofNanos(System.nanoTime() - startedNanos).multipliedBy(PAUSE_FACTOR);
            // After an incomplete scan the next request starts another one.
            Duration maxAge = !complete ? Duration.ofMillis(1) : pause.compareTo(MIN_PAUSE) > 0 ? pause : MIN_PAUSE;
            vertx.setTimer(Math.max(1, maxAge.toMillis()), expired -> current = null);
        }));
    }

    /** The result of the previous scan if there is one, because it is complete. */
    private ApiResult<FleetMapResponse> bestResult(RunningScan runningScan) {
        ApiResult<FleetMapResponse> before = newest;
        return before != null ? before : runningScan.scan().currentMap();
    }
}
