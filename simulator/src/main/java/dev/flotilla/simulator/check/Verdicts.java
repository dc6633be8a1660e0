package dev.flotilla.simulator.check;

import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.List;

/** Collects what did not hold in one world. A few are enough: one breach brings others in its train. */
public final class Verdicts {
    private static final int ENOUGH = 5;

    private final long seed;
    private final Scheduler scheduler;
    private final Story story;
    private final List<Violation> violations = new ArrayList<>();

    public Verdicts(long seed, Scheduler scheduler, Story story) {
        this.seed = seed;
        this.scheduler = scheduler;
        this.story = story;
    }

    void broken(Invariant invariant, String detail) {
        if (violations.size() < ENOUGH) {
            story.tell("checker", () -> "VIOLATION of " + invariant.label() + ": " + detail);
            violations.add(new Violation(seed, invariant, Story.clock(scheduler.now()), detail));
        }
    }

    void require(boolean holds, Invariant invariant, String detail) {
        if (!holds) {
            broken(invariant, detail);
        }
    }

    /** Somebody wrote a record that the broker does not take. */
    public void refused(String why) {
        broken(Invariant.REFUSED_RECORD, why);
    }

    /** A process has tripped so often over one thing: twice, and it is to be parked. */
    public void tripped(String process, int times) {
        require(times <= 2, Invariant.PARKED, process + " tried " + times + " times what it cannot decide");
    }

    /** Something threw: the place is the first that is ours and not the simulator's, if there is one. */
    public void threw(RuntimeException bug) {
        StackTraceElement[] trace = bug.getStackTrace();
        StackTraceElement place = trace.length == 0 ? null : trace[0];
        for (int i = trace.length - 1; i >= 0; i--) {
            if (trace[i].getClassName().startsWith("dev.flotilla.")) {
                place = trace[i];
            }
        }
        broken(Invariant.NO_BUG, bug + " at " + place);
    }

    public List<Violation> all() {
        return List.copyOf(violations);
    }

    public boolean any() {
        return !violations.isEmpty();
    }
}
