package dev.flotilla.core.procedure;

import java.util.Arrays;

/**
 * When to ask how a change stands, learned from the changes of its kind that have ended. Nobody asks before the time in which
 * hardly any has ended, unless some have failed lately; then often enough that an end is noticed soon; and ever more rarely once
 * almost all would have ended. In milliseconds since the change began.
 */
public final class ChangePollSchedule {
    /** What is remembered. Machines that are upgraded next to each other are alike, so the newest say most. */
    private static final int KEPT = 200;

    /** With fewer known nobody is silent: they may be the quick ones. */
    private static final int ENOUGH = 10;

    /** Where all take about as long, their end is asked for in so many steps. */
    private static final int STEPS = 5;

    /** While nothing is known, the first of these intervals are halved: some changes are short. */
    private static final int UNKNOWN = 8;

    /** Those that end before this wait for the others: more silence costs more delay than it saves in questions. */
    private static final int PERCENT_EARLY = 4;

    private static final int PERCENT_LATE = 99;

    /** The first that end of many that began together are the quick ones: they do not say what is late. */
    private static final int ENOUGH_FOR_LATE = 100;

    private static final int HUNDRED = 100;

    /** What is late is asked for at intervals that grow by such a part of how late it is. */
    private static final int PART_OF_LATE = 10;

    /** What may have failed is asked for at three times the age at which it was asked for last. */
    private static final int NEXT_AGE = 2;

    private final long interval;
    private final long longest;
    private final long[] recordEnded = new long[KEPT];
    private long[] sorted = new long[0];
    private int count;
    private int lastFailure = -KEPT;

    /**
     * Knows nothing yet.
     *
     * @param interval between two questions while an end is expected: it is noticed half of that later, on average
     * @param longest between two questions, however late it is
     */
    public ChangePollSchedule(long interval, long longest) {
        this.interval = interval;
        this.longest = longest;
    }

    /** A change ended, so long after it had begun. */
    public void recordEnded(long millis) {
        recordEnded[count % KEPT] = millis;
        count++;
        sorted = Arrays.copyOf(recordEnded, Math.min(count, KEPT));
        Arrays.sort(sorted);
    }

    /** A change failed. Such changes end at any time. */
    public void recordFailed() {
        lastFailure = count;
    }

    /** How long to wait with the next question about a change that has been going on for so long. */
    public long nextDelay(long elapsed) {
        if (sorted.length < ENOUGH) {
            return nextOfFew(elapsed);
        }
        long step = step();
        // What ended in the silence is known by its end: without the step the silence would grow by itself.
        long early = percentile(PERCENT_EARLY) - step;
        // Who is nearly there does not ask twice in a moment.
        if (elapsed + step / 2 < early) {
            long silence = early - elapsed;
            return count - lastFailure < KEPT ? Math.min(silence, Math.max(interval, NEXT_AGE * elapsed)) : silence;
        }
        long late = percentile(PERCENT_LATE);
        if (elapsed <= late) {
            return step;
        }
        return sorted.length < ENOUGH_FOR_LATE
                ? interval
                : Math.min(longest, interval + (elapsed - late) / PART_OF_LATE);
    }

    /** Often enough where the few that are known have ended; an end was noticed an interval after it, at most. */
    private long nextOfFew(long elapsed) {
        if (sorted.length == 0) {
            return elapsed < UNKNOWN * interval ? interval / 2 : interval;
        }
        long early = sorted[0] - interval;
        if (elapsed < early) {
            return Math.min(interval, Math.max(interval / STEPS, early - elapsed));
        }
        return elapsed <= sorted[sorted.length - 1] ? interval / STEPS : interval;
    }

    /** Between two questions while an end is expected: shorter where all end at about the same time. */
    private long step() {
        long spread = percentile(PERCENT_LATE) - percentile(PERCENT_EARLY);
        return Math.clamp((spread + interval) / STEPS, interval / STEPS, interval);
    }

    private long percentile(int percent) {
        return sorted[(sorted.length - 1) * percent / HUNDRED];
    }
}
