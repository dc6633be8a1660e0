package dev.flotilla.simulator.world;

/**
 * A process that can be killed between any two of its steps, that can stop for a while without knowing (a pause, SIGSTOP)
 * and that can be cut off from the log. What it had planned dies with it; a paused one goes on later as if nothing had
 * been.
 */
public final class SimProcess {
    private static final int DELICATE = 25;

    private final String name;
    private final Scheduler scheduler;
    private final Faults faults;
    private final Story story;
    private final Chance chance;
    private final long skew;
    private final int haste;
    private Runnable onStart = () -> {};
    private Runnable onCrash = () -> {};
    private long incarnation;
    private boolean alive;
    private long pausedUntil;
    private long cutOffUntil;
    private long troubledUntil;

    /**
     * A process that does not run yet.
     *
     * @param skew how far its clock is off
     * @param haste so many times faster than usual it does what it does
     */
    public SimProcess(
            String name, Scheduler scheduler, Faults faults, Story story, Chance chance, long skew, int haste) {
        this.name = name;
        this.scheduler = scheduler;
        this.faults = faults;
        this.story = story;
        this.chance = chance;
        this.skew = skew;
        this.haste = haste;
    }

    /** What it does when it starts, and what is lost when it crashes. */
    public void behaves(Runnable start, Runnable crash) {
        this.onStart = start;
        this.onCrash = crash;
    }

    public String name() {
        return name;
    }

    public Chance chance() {
        return chance;
    }

    public boolean alive() {
        return alive;
    }

    public boolean paused() {
        return scheduler.now() < pausedUntil;
    }

    public boolean cutOff() {
        return scheduler.now() < cutOffUntil;
    }

    /** How long something takes it, drawn between two bounds. */
    public long takes(long low, long high) {
        return hurried(chance.between(low, high));
    }

    /** How long it waits where it usually waits so long. */
    public long hurried(long usual) {
        return usual / haste;
    }

    /** Whether it runs and reaches the log: what a coordinator of its group sees. */
    public boolean reachable() {
        return alive && !paused() && !cutOff();
    }

    /** Whether it has been down, paused or cut off at any time since. */
    public boolean troubledSince(long since) {
        return troubledUntil >= since;
    }

    /** The time by its own clock. */
    public long clock() {
        return scheduler.now() + skew + faults.clockJump(name);
    }

    public void start() {
        if (!alive) {
            alive = true;
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
            if (alive && incarnation == born) {
                if (paused()) {
                    run(pausedUntil, born, action);
                } else {
                    action.run();
                }
            }
        });
    }

    /** Whether it lives on past this step; a fault may say otherwise, and may stop it for a while just here. */
    public boolean survives(String step) {
        if (!alive) {
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
    public boolean survivesAtTheWorstMoment(String step) {
        for (int i = 0; i < DELICATE && !paused(); i++) {
            if (faults.pausesNow(chance)) {
                pause(faults.pauseLength(chance));
            }
        }
        return survives(step);
    }

    /** Kills it; it starts again after a while. */
    public void crash(String step, long restart) {
        if (!alive) {
            return;
        }
        story.tell(name, () -> "crashes " + step);
        alive = false;
        incarnation++;
        pausedUntil = 0;
        onCrash.run();
        troubledUntil = Math.max(troubledUntil, scheduler.now() + restart);
        scheduler.after(restart, this::start);
    }

    public void pause(long length) {
        story.tell(name, () -> "stops for " + length / 1000 + " s");
        pausedUntil = scheduler.now() + length;
        troubledUntil = Math.max(troubledUntil, pausedUntil);
    }

    public void cutOff(long length) {
        story.tell(name, () -> "is cut off from the log for " + length / 1000 + " s");
        cutOffUntil = Math.max(cutOffUntil, scheduler.now() + length);
        troubledUntil = Math.max(troubledUntil, cutOffUntil);
    }
}
