package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** What the shell is to do next. Each is answered by its signal, or never: the machine bears both. */
public sealed interface Act {

    /** Write a report. One that is not written yet gives way to a later one. Answered by {@link Signal.Written}. */
    record Say(AttemptReport report) implements Act {}

    /** Look at the node, and change nothing. Answered by {@link Signal.Inspected}. */
    record Inspect() implements Act {}

    /** Reach the node's k8sd and show it the token, and change nothing. Answered by {@link Signal.Reached}. */
    record Reach() implements Act {}

    /** Set the guards on the machine, and judge the object that comes back. Answered by {@link Signal.Guarded}. */
    record Guard() implements Act {}

    /** Judge the machine and its cluster as they are now. Answered by {@link Signal.Judged}. */
    record Judge() implements Act {}

    /** Ask whether these hold. Answered by {@link Signal.Checked}. */
    record Ask(List<HealthCheck> checks) implements Act {
        public Ask {
            checks = List.copyOf(checks);
        }
    }

    /**
     * Make the one call. Where its time has passed before it is written, {@link Signal.Held} says so; else
     * {@link Signal.Answered}.
     *
     * @param before it must be written before then, on the clock that nobody sets
     */
    record Call(UpgradeTarget target, long before) implements Act {}

    /** Ask how a change stands. Answered by {@link Signal.Polled}. */
    record Poll(String changeId) implements Act {}

    /** Let some time pass. Answered by {@link Signal.Rested}. */
    record Rest(Pause pause) implements Act {}

    /** Undo the cordon and the guards, if they are this attempt's. Answered by {@link Signal.Undone}. */
    record Undo() implements Act {}
}
