package dev.flotilla.simulator.world;

import java.util.LinkedHashMap;
import java.util.Map;

/** How much goes wrong in a world, and until when. Rates are per 10,000 steps. */
public final class FaultRateSchedule {
    private static final int STEPS = 10_000;

    /**
     * How often what happens.
     *
     * @param crash a process dies at a step
     * @param pause a process stops at a step, and wakes later without knowing
     * @param unclear a commit's outcome is not told
     */
    public record FaultRates(int crash, int pause, int unclear) {
        public static final FaultRates NONE = new FaultRates(0, 0, 0);
    }

    private final VirtualClockScheduler scheduler;
    private final FaultRates faultRates;
    private final long end;
    private final Map<String, Long> clockJumps = new LinkedHashMap<>();
    private long crashes;

    public FaultRateSchedule(VirtualClockScheduler scheduler, FaultRates faultRates, long end) {
        this.scheduler = scheduler;
        this.faultRates = faultRates;
        this.end = end;
    }

    public static FaultRateSchedule none(VirtualClockScheduler scheduler) {
        return new FaultRateSchedule(scheduler, FaultRates.NONE, 0);
    }

    /** When everything has to be well again. */
    public long end() {
        return end;
    }

    public boolean isActive() {
        return scheduler.now() < end;
    }

    public boolean crashesNow(SeededRandom chance) {
        return isActive() && chance.below(STEPS) < faultRates.crash;
    }

    public boolean pausesNow(SeededRandom chance) {
        return isActive() && chance.below(STEPS) < faultRates.pause;
    }

    public boolean unclearNow(SeededRandom chance) {
        return isActive() && chance.below(STEPS) < faultRates.unclear;
    }

    /** Mostly a few seconds; sometimes long enough for everybody else to have gone on. */
    public long pauseLength(SeededRandom chance) {
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
        return isActive() ? clockJumps.getOrDefault(process, 0L) : 0;
    }

    public void jumpClock(String process, long by) {
        clockJumps.put(process, by);
    }
}
