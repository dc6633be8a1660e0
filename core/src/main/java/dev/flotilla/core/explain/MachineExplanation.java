package dev.flotilla.core.explain;

import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of a machine, and why it is not being upgraded.
 *
 * @param state what the machine is doing or how it ended, in one word
 * @param rolloutRef the rollout that the state belongs to; null if no rollout selects the machine
 * @param closedGates all gates that are closed for the machine now, in their order
 * @param nextStep what happens next, or what an operator must do
 * @param preparation how far its preparation is; null if nobody asked for one
 */
public record MachineExplanation(
        MachineKey machine,
        String state,
        @Nullable RolloutRef rolloutRef,
        List<ClosedGate> closedGates,
        String nextStep,
        @Nullable PreparationExplanation preparation) {
    public MachineExplanation {
        closedGates = List.copyOf(closedGates);
    }

    /** An explanation without a preparation. */
    public MachineExplanation(
            MachineKey machine,
            String state,
            @Nullable RolloutRef rolloutRef,
            List<ClosedGate> closedGates,
            String nextStep) {
        this(machine, state, rolloutRef, closedGates, nextStep, null);
    }

    /** The closed gates, those first that stay closed until a person acts. */
    public List<ClosedGate> closedGatesForPersonsFirst() {
        return personsFirst(closedGates);
    }

    static List<ClosedGate> personsFirst(List<ClosedGate> gates) {
        List<ClosedGate> ordered =
                new ArrayList<>(gates.stream().filter(ClosedGate::needsPerson).toList());
        gates.stream().filter(gate -> !gate.needsPerson()).forEach(ordered::add);
        return ordered;
    }

    /** Returns a copy with another next step. */
    MachineExplanation withNextStep(String next) {
        return new MachineExplanation(machine, state, rolloutRef, closedGates, next, preparation);
    }

    /** Returns a copy with the preparation of the machine. */
    MachineExplanation withPreparation(@Nullable PreparationExplanation next) {
        return new MachineExplanation(machine, state, rolloutRef, closedGates, nextStep, next);
    }
}
