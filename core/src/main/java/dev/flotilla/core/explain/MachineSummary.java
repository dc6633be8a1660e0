package dev.flotilla.core.explain;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a machine stands, in a word: cheap enough to be asked about every machine of a page.
 *
 * @param state what it is doing, or how it ended
 * @param rolloutRef on whose behalf; null where nobody asks anything of it
 * @param gate the first gate that is closed to it; null where it does not wait, or only for its turn
 */
public record MachineSummary(
        String state,
        @Nullable RolloutRef rolloutRef,
        @Nullable GateLabel gate) {
    static final String IDLE = "idle";
    static final String WAITING = "waiting";
    static final String ADMITTED = "admitted";
    static final String UNKNOWN = "unknown";
    static final String SKIPPED = "skipped";

    /** Every word that a state can be. */
    public static List<String> states() {
        List<String> words = new ArrayList<>(List.of(IDLE, WAITING, ADMITTED));
        for (AttemptStep step : AttemptStep.values()) {
            words.add(step.label());
        }
        words.add(UNKNOWN);
        for (MachineOutcome outcome : MachineOutcome.values()) {
            words.add(outcome.label());
        }
        return words;
    }
}
