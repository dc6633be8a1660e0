package dev.flotilla.simulator.world;

import java.util.LinkedHashMap;
import java.util.Map;

/** Decides how often faults occur in a simulated world, and until when. Rates are per 10,000 steps. */
public final class FaultRateSchedule {
    private static final int RATE_BASE = 10_000;

    /**
     * The rate of each kind of fault.
     *
     * @param crash a process dies at a step
     * @param pause a process stops at a step and continues later without noticing
     * @param unclear a commit returns no outcome
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

    /** When injected faults end; after this instant the world must recover completely. */
    public long end() {
        return end;
    }

    public boolean isActive() {
        return scheduler.now() < end;
    }

    public boolean crashesNow(SeededRandom chance) {
        return isActive() && chance.below(RATE_BASE) < faultRates.crash;
    }

    public boolean pausesNow(SeededRandom chance) {
        return isActive() && chance.below(RATE_BASE) < faultRates.pause;
    }

    public boolean unclearNow(SeededRandom chance) {
        return isActive() && chance.below(RATE_BASE) < faultRates.unclear;
    }

    /** Usually a few seconds; sometimes so long that all other processes have moved on. */
    public long pauseLength(SeededRandom chance) {
        return chance.percent(60) ? chance.between(500, 12_000) : chance.between(12_000, 30 * 60_000);
    }

    public void countCrash() {
        crashes++;
    }

    public long crashes() {
        return crashes;
    }

    /** How far a fault moves a process's clock at this instant, in milliseconds. */
    public long clockJump(String process) {
        return isActive() ? clockJumps.getOrDefault(process, 0L) : 0;
    }

    public void jumpClock(String process, long by) {
        clockJumps.put(process, by);
    }
}
