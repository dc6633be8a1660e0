package dev.flotilla.orchestrator.api.query;

import dev.flotilla.core.fleet.inventory.MachineCursor;
import dev.flotilla.core.fleet.inventory.MachinePage;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all machines once, in a sequence of short queries. The state changes between them, so the result is of about
 * one instant.
 *
 * @param <T> the result of one query
 */
final class FleetScan<T> {
    private final StateQueryClient stateQueryClient;
    private final BiFunction<StateView, List<MachineView>, T> inspect;
    private final Consumer<T> accept;
    private Instant asOf = Instant.EPOCH;
    private boolean complete;
    private @Nullable HttpErrorResponse queryError;

    /** The result of one query. */
    private record ScanChunk<T>(T result, @Nullable MachineCursor next, Instant now) {}

    /**
     * @param inspect reads some machines, on the thread that owns the state
     * @param accept receives the result, on the caller's thread
     */
    FleetScan(
            StateQueryClient stateQueryClient,
            BiFunction<StateView, List<MachineView>, T> inspect,
            Consumer<T> accept) {
        this.stateQueryClient = stateQueryClient;
        this.inspect = inspect;
        this.accept = accept;
    }

    /** Completes when all machines are read, or when a query fails. */
    Future<Void> scanAll() {
        return scanFrom(MachineCursor.start());
    }

    /** When the scan started. */
    Instant asOf() {
        return asOf;
    }

    boolean isComplete() {
        return complete;
    }

    /** The error that ended the scan; null if there is none. */
    @Nullable
    HttpErrorResponse queryError() {
        return queryError;
    }

    private Future<Void> scanFrom(MachineCursor cursor) {
        return stateQueryClient
                .query(view -> ApiResult.found(readChunk(view, cursor)))
                .compose(apiResult -> switch (apiResult) {
                    case ApiResult.ApiError<ScanChunk<T>> apiError -> {
                        queryError = apiError.error();
                        yield Future.succeededFuture();
                    }
                    case ApiResult.ApiValue<ScanChunk<T>> apiValue -> acceptChunk(apiValue.value());
                });
    }

    private ScanChunk<T> readChunk(StateView view, MachineCursor cursor) {
        MachinePage machinePage = view.state().scanMachines(cursor, MachineFilter.MACHINES_PER_QUERY);
        return new ScanChunk<>(inspect.apply(view, machinePage.machines()), machinePage.next(), view.now());
    }

    private Future<Void> acceptChunk(ScanChunk<T> scanChunk) {
        if (asOf.equals(Instant.EPOCH)) {
            asOf = scanChunk.now();
        }
        accept.accept(scanChunk.result());
        MachineCursor next = scanChunk.next();
        complete = next == null;
        return next == null ? Future.succeededFuture() : scanFrom(next);
    }
}
