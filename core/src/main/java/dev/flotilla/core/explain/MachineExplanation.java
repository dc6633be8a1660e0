package dev.flotilla.core.explain;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a machine stands, and why it is not being upgraded.
 *
 * @param state a word: what it is doing, or how it ended
 * @param rolloutRef on whose behalf; null where nobody asks anything of it
 * @param closedGates every gate that is closed to it now, the first one first; empty where none is
 * @param nextStep what will happen next, or what somebody would have to do
 */
public record MachineExplanation(
        MachineKey machine,
        String state,
        @Nullable RolloutRef rolloutRef,
        List<ClosedGate> closedGates,
        String nextStep) {
    public MachineExplanation {
        closedGates = List.copyOf(closedGates);
    }
}
