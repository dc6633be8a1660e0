package dev.flotilla.simulator.world;

import java.util.LinkedHashMap;
import java.util.Map;

/** How much goes wrong in a world, and until when. Rates are per 10,000 steps. */
public final class Faults {
    private static final int STEPS = 10_000;

    /**
     * How often what happens.
     *
     * @param crash a process dies at a step
     * @param pause a process stops at a step, and wakes later without knowing
     * @param unclear a commit's outcome is not told
     */
    public record Rates(int crash, int pause, int unclear) {
        public static final Rates NONE = new Rates(0, 0, 0);
    }

    private final Scheduler scheduler;
    private final Rates rates;
    private final long end;
    private final Map<String, Long> clockJumps = new LinkedHashMap<>();
    private long crashes;

    public Faults(Scheduler scheduler, Rates rates, long end) {
        this.scheduler = scheduler;
        this.rates = rates;
        this.end = end;
    }

    public static Faults none(Scheduler scheduler) {
        return new Faults(scheduler, Rates.NONE, 0);
    }

    /** When everything has to be well again. */
    public long end() {
        return end;
    }

    public boolean active() {
        return scheduler.now() < end;
    }

    public boolean crashesNow(Chance chance) {
        return active() && chance.below(STEPS) < rates.crash;
    }

    public boolean pausesNow(Chance chance) {
        return active() && chance.below(STEPS) < rates.pause;
    }

    public boolean unclearNow(Chance chance) {
        return active() && chance.below(STEPS) < rates.unclear;
    }

    /** Mostly a few seconds; sometimes long enough for everybody else to have gone on. */
    public long pauseLength(Chance chance) {
        return chance.percent(60) ? chance.between(500, 12_000) : chance.between(12_000, 30 * 60_000);
    }

    public void countCrash() {
        crashes++;
    }

    public long crashes() {
        return crashes;
    }

    /** How far a fault has moved a process's clock, at the moment. */
    public long clockJump(String process) {
        return active() ? clockJumps.getOrDefault(process, 0L) : 0;
    }

    public void jumpClock(String process, long by) {
        clockJumps.put(process, by);
    }
}
