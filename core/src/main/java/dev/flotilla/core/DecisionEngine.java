package dev.flotilla.core;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.row.RowChange;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * The state and the function that decides, taken through one input at a time: decide, put, and then whatever has fallen
 * due by it, up to a bound. What does not fit stays due work, which the rows themselves say and the next call finds.
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
     * Decides an input and what falls due by it.
     *
     * @param most decisions at the most, the input's own included
     * @param written takes each decision before it is put; a decision that it throws at is not put
     * @return how many decisions there were; {@code most} says that there may be more to do
     */
    public int processInput(DecisionInput input, int most, Consumer<Decision> written) {
        int decisions = step(input, written) ? 1 : 0;
        return decisions + decideDueWork(input.at(), most - decisions, written);
    }

    /**
     * Decides what is due by itself. Returns how many decisions there were. A decision that is not taken is not put, and
     * {@link DecisionFailedException}.
     */
    public int decideDueWork(Instant at, int most, Consumer<Decision> written) {
        DecisionInput due = new DecisionInput.TimePassed(at);
        int decisions = 0;
        while (decisions < most && step(due, decision -> DecisionFailedException.passOn(decision, written))) {
            decisions++;
        }
        return decisions;
    }

    /** Brings the state's counts up to date with its rows. */
    public void refreshDerivedState(Instant now) {
        decider.refreshDerivedState(state, now);
    }

    private boolean step(DecisionInput input, Consumer<Decision> written) {
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
