package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One thing that must hold before a machine is started.
 *
 * @param level what it closes
 * @param hold what its closing does to a command that is out already
 * @param open whether it lets a candidate through; asked often, so it allocates nothing
 * @param explain what was compared; asked only of a gate that is closed
 */
public record Gate(
        GateLabel label, Judge.Level level, Hold hold, Predicate<Candidate> open, Function<Candidate, Closed> explain) {

    /** What a closed gate does to a command that is out and has not been carried out. */
    public enum Hold {
        /** Nothing: what has been started goes on. */
        NONE,
        /** The command is not renewed, and runs out. */
        NO_RENEWAL,
        /** The command is taken back at once. */
        TAKES_BACK
    }

    public boolean isOpen(Candidate candidate) {
        return open.test(candidate);
    }

    public Closed explain(Candidate candidate) {
        return explain.apply(candidate);
    }
}
