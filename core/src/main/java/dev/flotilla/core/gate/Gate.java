package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.GateEvaluator;
import dev.flotilla.core.fleet.StartCandidate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One thing that must hold before a machine is started.
 *
 * @param level what it closes
 * @param leaseEffect what its closing does to a command that is out already
 * @param open whether it lets a candidate through; asked often, so it allocates nothing
 * @param explain what was compared; asked only of a gate that is closed
 */
public record Gate(
        GateLabel label,
        GateEvaluator.GateLevel level,
        LeaseEffect leaseEffect,
        Predicate<StartCandidate> open,
        Function<StartCandidate, ClosedGate> explain) {

    /** What a closed gate does to a command that is out and has not been carried out. */
    public enum LeaseEffect {
        /** Nothing: what has been started goes on. */
        NONE,
        /** The command is not renewed, and runs out. */
        STOP_RENEWAL,
        /** The command is taken back at once. */
        REVOKE
    }

    public boolean isOpen(StartCandidate candidate) {
        return open.test(candidate);
    }

    public ClosedGate explain(StartCandidate candidate) {
        return explain.apply(candidate);
    }
}
