package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.StartCandidate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A precondition of a start.
 *
 * @param level what the gate closes
 * @param leaseEffect what closing the gate does to a command that is out
 * @param open whether a candidate may start; evaluated often, so it must not allocate
 * @param explain the values that a closed gate compared; evaluated only if the gate is closed
 */
public record Gate(
        GateLabel label,
        GateEvaluator.GateLevel level,
        LeaseEffect leaseEffect,
        Predicate<StartCandidate> open,
        Function<StartCandidate, ClosedGate> explain) {

    /** What a closed gate does to a command that is out and not yet carried out. */
    public enum LeaseEffect {
        /** Nothing: the upgrade continues. */
        NONE,
        /** The command's lease is not renewed, and expires. */
        STOP_RENEWAL,
        /** The command is cancelled at once. */
        REVOKE
    }

    public boolean isOpen(StartCandidate candidate) {
        return open.test(candidate);
    }

    public ClosedGate explain(StartCandidate candidate) {
        return explain.apply(candidate);
    }
}
