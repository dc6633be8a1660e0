package dev.flotilla.simulator.world;

/**
 * A simulated process that can be killed between any two steps, paused without noticing (SIGSTOP), and cut off from the
 * log. A crash discards its scheduled actions; after a pause it continues as if nothing had happened.
 */
public final class SimProcess {
    /** Longer than any world runs. */
    public static final long FOREVER = 10_000L * 60 * 60_000;

    private static final int PAUSE_ATTEMPTS_AT_CRITICAL_STEP = 25;

    private final String name;
    private final VirtualClockScheduler scheduler;
    private final FaultRateSchedule faults;
    private final Transcript transcript;
    private final SeededRandom chance;
    private final long skew;
    private final int speedFactor;
    private Runnable onStart = () -> {};
    private Runnable onCrash = () -> {};
    private long incarnation;
    private boolean isAlive;
    private long pausedUntil;
    private long cutOffUntil;
    private long troubledUntil;
    private long clockOffset;
    private boolean stopped;
    private boolean readsBlocked;
    private boolean blockWrites;

    /**
     * Creates a process that does not run yet.
     *
     * @param skew how far its clock differs from the true time, in milliseconds
     * @param haste divides every usual wait: the process is this many times faster than usual
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
        this.speedFactor = haste;
    }

    /** Sets what runs when it starts, and what discards its memory when it crashes. */
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

    /** Whether it reads nothing new from the log. */
    public boolean cannotRead() {
        return cutOff() || readsBlocked;
    }

    /** Whether nothing that it writes reaches the log. */
    public boolean cannotWrite() {
        return cutOff() || blockWrites;
    }

    /** Draws how long an operation takes, between two bounds. */
    public long drawDuration(long low, long high) {
        return scaledWait(chance.between(low, high));
    }

    /** How long it waits where a process of usual speed waits for {@code usual} milliseconds. */
    public long scaledWait(long usual) {
        return usual / speedFactor;
    }

    /** Whether it runs and reaches the log, as its group coordinator sees it. */
    public boolean isReachable() {
        return isAlive && !isPaused() && !cutOff();
    }

    /** Whether it was down, paused or cut off at any time since an instant. */
    public boolean troubledSince(long since) {
        return troubledUntil >= since;
    }

    /** The time on its own clock. */
    public long clock() {
        return scheduler.now() + skew + clockOffset + faults.clockJump(name);
    }

    public void start() {
        if (!isAlive) {
            isAlive = true;
            incarnation++;
            onStart.run();
        }
    }

    /** Runs an action later, unless the process has died by then. */
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

    /** Whether it survives this step. A fault may kill it here, or pause it. */
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

    /** Does the same at a step where a pause does the most harm, and therefore tries a pause much more often. */
    public boolean continuesAfterCriticalStep(String step) {
        for (int i = 0; i < PAUSE_ATTEMPTS_AT_CRITICAL_STEP && !isPaused(); i++) {
            if (faults.pausesNow(chance)) {
                pause(faults.pauseLength(chance));
            }
        }
        return continuesAfter(step);
    }

    /** Kills the process; it starts again after {@code restart} milliseconds. */
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

    /** Stops it forever; a process that is started in its place stops as well. */
    public void stop() {
        stopped = true;
        pause(FOREVER);
    }

    /** Blocks its reads of the log forever. */
    public void blockReads() {
        transcript.append(name, () -> "cannot read the log any more");
        readsBlocked = true;
        troubledUntil = FOREVER;
    }

    /** Blocks its writes to the log forever. */
    public void blockWrites() {
        transcript.append(name, () -> "cannot write to the log any more");
        blockWrites = true;
    }

    /** Sets its clock off by a number of milliseconds, forever. */
    public void setClockOff(long by) {
        transcript.append(name, () -> "has a clock that is " + by / 1000 + " s off");
        clockOffset = by;
    }
}
