package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.MachineCursor;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.MachinePage;
import dev.flotilla.orchestrator.api.answer.MachineFilter;
import dev.flotilla.orchestrator.view.View;
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
final class Walk<T> {
    private final Asker asker;
    private final BiFunction<View, List<MachineView>, T> look;
    private final Consumer<T> take;
    private Instant asOf = Instant.EPOCH;
    private boolean complete;
    private @Nullable HttpErrorResponse refused;

    /** What one question saw. */
    private record Piece<T>(T seen, @Nullable MachineCursor next, Instant now) {}

    /**
     * @param look what to see of some machines, on the thread that owns the state
     * @param take what to do with it, on the asker's thread
     */
    Walk(Asker asker, BiFunction<View, List<MachineView>, T> look, Consumer<T> take) {
        this.asker = asker;
        this.look = look;
        this.take = take;
    }

    /** Completed when there is nothing more to see, or no way to. */
    Future<Void> run() {
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
    HttpErrorResponse refused() {
        return refused;
    }

    private Future<Void> from(MachineCursor place) {
        return asker.ask(view -> Reply.found(look(view, place))).compose(reply -> switch (reply) {
            case Reply.None<Piece<T>> none -> {
                refused = none.why();
                yield Future.succeededFuture();
            }
            case Reply.Found<Piece<T>> found -> take(found.value());
        });
    }

    private Piece<T> look(View view, MachineCursor place) {
        MachinePage machinePage = view.state().scanMachines(place, MachineFilter.LOOKS);
        return new Piece<>(look.apply(view, machinePage.machines()), machinePage.next(), view.now());
    }

    private Future<Void> take(Piece<T> piece) {
        if (asOf.equals(Instant.EPOCH)) {
            asOf = piece.now();
        }
        take.accept(piece.seen());
        MachineCursor next = piece.next();
        complete = next == null;
        return next == null ? Future.succeededFuture() : from(next);
    }
}
