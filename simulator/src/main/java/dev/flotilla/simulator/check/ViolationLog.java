package dev.flotilla.simulator.check;

import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;

/** Collects what did not hold in one world. A few are enough: one breach brings others in its train. */
public final class ViolationLog {
    private static final int ENOUGH = 5;

    private final long seed;
    private final VirtualClockScheduler scheduler;
    private final Transcript transcript;
    private final List<InvariantViolation> violations = new ArrayList<>();

    public ViolationLog(long seed, VirtualClockScheduler scheduler, Transcript transcript) {
        this.seed = seed;
        this.scheduler = scheduler;
        this.transcript = transcript;
    }

    void addViolation(Invariant invariant, String detail) {
        if (violations.size() < ENOUGH) {
            transcript.append("checker", () -> "VIOLATION of " + invariant.label() + ": " + detail);
            violations.add(new InvariantViolation(seed, invariant, Transcript.formatTime(scheduler.now()), detail));
        }
    }

    void require(boolean holds, Invariant invariant, String detail) {
        if (!holds) {
            addViolation(invariant, detail);
        }
    }

    /** Somebody wrote a record that the broker does not take. */
    public void addRejectedRecord(String why) {
        addViolation(Invariant.REFUSED_RECORD, why);
    }

    /** A process has tripped so often over one thing: twice, and it is to be parked. */
    public void requireParkedAfterTwoFailures(String process, int times) {
        require(times <= 2, Invariant.PARKED, process + " tried " + times + " times what it cannot decide");
    }

    /** Something threw: the place is the first that is ours and not the simulator's, if there is one. */
    public void addException(RuntimeException bug) {
        StackTraceElement[] trace = bug.getStackTrace();
        StackTraceElement place = trace.length == 0 ? null : trace[0];
        for (int i = trace.length - 1; i >= 0; i--) {
            if (trace[i].getClassName().startsWith("dev.flotilla.")) {
                place = trace[i];
            }
        }
        addViolation(Invariant.NO_BUG, bug + " at " + place);
    }

    public List<InvariantViolation> violations() {
        return List.copyOf(violations);
    }

    public boolean hasViolations() {
        return !violations.isEmpty();
    }
}
