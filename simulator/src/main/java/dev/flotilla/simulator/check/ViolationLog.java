package dev.flotilla.simulator.check;

import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Collects the violations in one world. A few are enough, because one violation causes others. */
public final class ViolationLog {
    private static final int MAX_VIOLATIONS = 5;

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
        if (violations.size() < MAX_VIOLATIONS) {
            transcript.append("checker", () -> "VIOLATION of " + invariant.label() + ": " + detail);
            violations.add(new InvariantViolation(seed, invariant, Transcript.formatTime(scheduler.now()), detail));
        }
    }

    void require(boolean holds, Invariant invariant, String detail) {
        if (!holds) {
            addViolation(invariant, detail);
        }
    }

    /** The same for checks that run so often that only a violation may cost a text. */
    void require(boolean holds, Invariant invariant, Supplier<String> detail) {
        if (!holds) {
            addViolation(invariant, detail.get());
        }
    }

    /** Adds a record that the broker rejected. */
    public void addRejectedRecord(String reason) {
        addViolation(Invariant.REJECTED_RECORD, reason);
    }

    /** Requires that a process has failed at most twice at one thing, which is then parked. */
    public void requireParkedAfterTwoFailures(String process, int times) {
        require(
                times <= 2,
                Invariant.PARKED,
                process + " tried an impossible decision " + times + " times instead of parking it after two");
    }

    /** Adds an exception. The reported place is the innermost call in Flotilla. */
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
