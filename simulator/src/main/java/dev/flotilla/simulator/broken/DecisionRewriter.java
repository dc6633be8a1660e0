package dev.flotilla.simulator.broken;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.schemas.row.RowChange;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Changes the row changes of a decision. */
final class DecisionRewriter {
    private DecisionRewriter() {}

    /** The same decision with each row change replaced by {@code change}; null leaves it out. */
    static Decision each(Decision decision, Function<RowChange, ? extends @Nullable RowChange> change) {
        return of(
                decision,
                decision.changes().stream()
                        .<@Nullable RowChange>map(change)
                        .filter(Objects::nonNull)
                        .toList());
    }

    /** The same decision with these row changes; empty decisions stay empty. */
    static Decision of(Decision decision, List<RowChange> changes) {
        return decision.isNothing()
                ? decision
                : new Decision(
                        decision.seq(),
                        decision.at(),
                        decision.event(),
                        decision.subject(),
                        decision.reason(),
                        changes);
    }
}
