package dev.flotilla.simulator.world;

/**
 * A process that can be killed between any two of its steps, that can stop for a while without knowing (a pause, SIGSTOP)
 * and that can be cut off from the log. What it had planned dies with it; a paused one goes on later as if nothing had
 * been.
 */
public final class SimProcess {
    /** Longer than any world lasts. */
    public static final long FOR_EVER = 10_000L * 60 * 60_000;

    private static final int DELICATE = 25;

    private final String name;
    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SeededRandom chance;
    private final long skew;
    private final int haste;
    private Runnable onStart = () -> {};
    private Runnable onCrash = () -> {};
    private long incarnation;
    private boolean isAlive;
    private long pausedUntil;
    private long cutOffUntil;
    private long troubledUntil;
    private long clockOff;
    private boolean stopped;
    private boolean deaf;
    private boolean blockWrites;

    /**
     * A process that does not run yet.
     *
     * @param skew how far its clock is off
     * @param haste so many times faster than usual it does what it does
     */
    public SimProcess(
            String name,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            long skew,
            int haste) {
        this.name = name;
        this.scheduler = scheduler;
        this.faults = faults;
        this.transcript = transcript;
        this.chance = chance;
        this.skew = skew;
        this.haste = haste;
    }

    /** What it does when it starts, and what is lost when it crashes. */
    public void onStartAndCrash(Runnable start, Runnable crash) {
        this.onStart = start;
        this.onCrash = crash;
    }

    public String name() {
        return name;
    }

    public SeededRandom chance() {
        return chance;
    }

    public boolean isAlive() {
        return isAlive;
    }

    public boolean isPaused() {
        return scheduler.now() < pausedUntil;
    }

    public boolean cutOff() {
        return scheduler.now() < cutOffUntil;
    }

    /** Whether it learns nothing new of the log. */
    public boolean cannotRead() {
        return cutOff() || deaf;
    }

    /** Whether nothing of what it writes arrives at the log. */
    public boolean cannotWrite() {
        return cutOff() || blockWrites;
    }

    /** How long something takes it, drawn between two bounds. */
    public long drawDuration(long low, long high) {
        return scaledWait(chance.between(low, high));
    }

    /** How long it waits where it usually waits so long. */
    public long scaledWait(long usual) {
        return usual / haste;
    }

    /** Whether it runs and reaches the log: what a coordinator of its group sees. */
    public boolean isReachable() {
        return isAlive && !isPaused() && !cutOff();
    }

    /** Whether it has been down, paused or cut off at any time since. */
    public boolean troubledSince(long since) {
        return troubledUntil >= since;
    }

    /** The time by its own clock. */
    public long clock() {
        return scheduler.now() + skew + clockOff + faults.clockJump(name);
    }

    public void start() {
        if (!isAlive) {
            isAlive = true;
            incarnation++;
            onStart.run();
        }
    }

    /** Does something later, unless it has died by then. */
    public void later(long delay, Runnable action) {
        run(scheduler.now() + delay, incarnation, action);
    }

    private void run(long at, long born, Runnable action) {
        scheduler.at(at, () -> {
            if (isAlive && incarnation == born) {
                if (isPaused()) {
                    run(pausedUntil, born, action);
                } else {
                    action.run();
                }
            }
        });
    }

    /** Whether it lives on past this step; a fault may say otherwise, and may stop it for a while just here. */
    public boolean continuesAfter(String step) {
        if (!isAlive) {
            return false;
        }
        if (faults.crashesNow(chance)) {
            faults.countCrash();
            crash(step, chance.between(200, 40_000));
            return false;
        }
        if (faults.pausesNow(chance)) {
            pause(faults.pauseLength(chance));
        }
        return true;
    }

    /** The same at a step where being stopped does the most harm, and is therefore tried much more often. */
    public boolean continuesAfterCriticalStep(String step) {
        for (int i = 0; i < DELICATE && !isPaused(); i++) {
            if (faults.pausesNow(chance)) {
                pause(faults.pauseLength(chance));
            }
        }
        return continuesAfter(step);
    }

    /** Kills it; it starts again after a while. */
    public void crash(String step, long restart) {
        if (!isAlive) {
            return;
        }
        transcript.append(name, () -> "crashes " + step);
        isAlive = false;
        incarnation++;
        pausedUntil = stopped ? pausedUntil : 0;
        onCrash.run();
        troubledUntil = Math.max(troubledUntil, scheduler.now() + restart);
        scheduler.after(restart, this::start);
    }

    public void pause(long length) {
        transcript.append(name, () -> "stops for " + length / 1000 + " s");
        pausedUntil = scheduler.now() + length;
        troubledUntil = Math.max(troubledUntil, pausedUntil);
    }

    public void cutOff(long length) {
        transcript.append(name, () -> "is cut off from the log for " + length / 1000 + " s");
        cutOffUntil = Math.max(cutOffUntil, scheduler.now() + length);
        troubledUntil = Math.max(troubledUntil, cutOffUntil);
    }

    /** Stops it for ever: another that is started in its place stops as well. */
    public void stop() {
        stopped = true;
        pause(FOR_EVER);
    }

    /** From here on it learns nothing of what is written to the log, for ever. */
    public void blockReads() {
        transcript.append(name, () -> "hears nothing more");
        deaf = true;
        troubledUntil = FOR_EVER;
    }

    /** From here on nothing that it writes arrives, for ever. */
    public void blockWrites() {
        transcript.append(name, () -> "cannot write any more");
        blockWrites = true;
    }

    /** Its clock is off from here on, for ever. */
    public void setClockOff(long by) {
        transcript.append(name, () -> "has a clock that is " + by / 1000 + " s off");
        clockOff = by;
    }
}
