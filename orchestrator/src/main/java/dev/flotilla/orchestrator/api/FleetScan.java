package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.MachineCursor;
import dev.flotilla.core.fleet.MachinePage;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every machine once, by one short question after another. The state goes on changing meanwhile, so what is found
 * is of about one instant.
 *
 * @param <T> what is seen of the machines of one question
 */
final class FleetScan<T> {
    private final StateQueryClient stateQueryClient;
    private final BiFunction<StateView, List<MachineView>, T> look;
    private final Consumer<T> take;
    private Instant asOf = Instant.EPOCH;
    private boolean complete;
    private @Nullable HttpErrorResponse queryError;

    /** What one question saw. */
    private record ScanChunk<T>(T seen, @Nullable MachineCursor next, Instant now) {}

    /**
     * @param look what to see of some machines, on the thread that owns the state
     * @param take what to do with it, on the asker's thread
     */
    FleetScan(StateQueryClient stateQueryClient, BiFunction<StateView, List<MachineView>, T> look, Consumer<T> take) {
        this.stateQueryClient = stateQueryClient;
        this.look = look;
        this.take = take;
    }

    /** Completed when there is nothing more to see, or no way to. */
    Future<Void> scanAll() {
        return from(MachineCursor.start());
    }

    /** When it began. */
    Instant asOf() {
        return asOf;
    }

    boolean isComplete() {
        return complete;
    }

    /** Why nothing more can be seen; null where that is not so. */
    @Nullable
    HttpErrorResponse queryError() {
        return queryError;
    }

    private Future<Void> from(MachineCursor place) {
        return stateQueryClient
                .query(view -> ApiResult.found(look(view, place)))
                .compose(apiResult -> switch (apiResult) {
                    case ApiResult.ApiError<ScanChunk<T>> apiError -> {
                        queryError = apiError.error();
                        yield Future.succeededFuture();
                    }
                    case ApiResult.ApiValue<ScanChunk<T>> apiValue -> take(apiValue.value());
                });
    }

    private ScanChunk<T> look(StateView view, MachineCursor place) {
        MachinePage machinePage = view.state().scanMachines(place, MachineFilter.LOOKS);
        return new ScanChunk<>(look.apply(view, machinePage.machines()), machinePage.next(), view.now());
    }

    private Future<Void> take(ScanChunk<T> scanChunk) {
        if (asOf.equals(Instant.EPOCH)) {
            asOf = scanChunk.now();
        }
        take.accept(scanChunk.seen());
        MachineCursor next = scanChunk.next();
        complete = next == null;
        return next == null ? Future.succeededFuture() : from(next);
    }
}
