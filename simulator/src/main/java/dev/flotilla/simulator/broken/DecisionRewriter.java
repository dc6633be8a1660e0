package dev.flotilla.simulator.broken;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decisions that write other facts than they should. */
final class DecisionRewriter {
    private DecisionRewriter() {}

    /** The same decision with each fact as {@code change} makes it; it leaves a fact out where that is null. */
    static Decision each(Decision decision, Function<RowChange, ? extends @Nullable RowChange> change) {
        return of(
                decision,
                decision.changes().stream()
                        .<@Nullable RowChange>map(change)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** The same decision with these facts; none where there is nothing to write. */
    static Decision of(Decision decision, List<RowChange> facts) {
        return decision.isNothing()
                ? decision
                : new Decision(
                        decision.seq(), decision.at(), decision.event(), decision.subject(), decision.reason(), facts);
    }
}
