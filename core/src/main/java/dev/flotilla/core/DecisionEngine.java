package dev.flotilla.core;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.RowChange;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Takes the state through one input at a time: decides, puts the row changes, and repeats that for the work that is
 * due, up to a limit. Due work beyond the limit follows from the rows, and the next call finds it.
 */
public final class DecisionEngine {
    private final Decider decider;
    private final FleetState state;

    public DecisionEngine(Decider decider, FleetState state) {
        this.decider = decider;
        this.state = state;
    }

    public FleetState state() {
        return state;
    }

    /**
     * Decides an input and the work that becomes due by it.
     *
     * @param most maximum number of decisions, including the input's own
     * @param written receives each decision before it is put; if it throws, the decision is not put
     * @return the number of decisions; {@code most} means that more work may be due
     */
    public int processInput(DecisionInput input, int most, Consumer<Decision> written) {
        int decisions = decideOnce(input, written) ? 1 : 0;
        return decisions + decideDueWork(input.at(), most - decisions, written);
    }

    /**
     * Decides due work and returns the number of decisions. If the consumer rejects a decision, it is not put and a
     * {@link DecisionFailedException} is thrown.
     */
    public int decideDueWork(Instant at, int most, Consumer<Decision> written) {
        DecisionInput due = new DecisionInput.TimePassed(at);
        int decisions = 0;
        while (decisions < most && decideOnce(due, decision -> DecisionFailedException.passOn(decision, written))) {
            decisions++;
        }
        return decisions;
    }

    /** Updates the derived state. */
    public void refreshDerivedState(Instant now) {
        decider.refreshDerivedState(state, now);
    }

    private boolean decideOnce(DecisionInput input, Consumer<Decision> written) {
        Decision decision = decider.decide(state, input);
        if (decision.isNothing()) {
            return false;
        }
        written.accept(decision);
        for (RowChange rowChange : decision.changes()) {
            state.put(rowChange);
        }
        return true;
    }
}
