package dev.flotilla.core.procedure;

import java.util.Arrays;

/**
 * When to ask how a change stands, learned from the changes of its kind that have ended. Nobody asks before the time in which
 * hardly any has ended; then often enough that an end is noticed soon; and ever more rarely once almost all would have ended.
 * In milliseconds since the change began.
 */
public final class Pace {
    /** What is remembered. Machines that are upgraded next to each other are alike, so the newest say most. */
    private static final int KEPT = 200;

    /** With fewer known nothing is guessed. */
    private static final int ENOUGH = 10;

    private static final int PERCENT_EARLY = 1;
    private static final int PERCENT_LATE = 99;
    private static final int HUNDRED = 100;

    /** What is late is asked for at intervals of so large a part of the time that it has taken. */
    private static final int PART_OF_LATE = 20;

    private final long interval;
    private final long longest;
    private final long[] ended = new long[KEPT];
    private long[] sorted = new long[0];
    private int count;

    /**
     * Knows nothing yet.
     *
     * @param interval between two questions while an end is expected: it is noticed half of that later, on average
     * @param longest between two questions, however late it is
     */
    public Pace(long interval, long longest) {
        this.interval = interval;
        this.longest = longest;
    }

    /** A change ended, so long after it had begun. */
    public void ended(long millis) {
        ended[count % KEPT] = millis;
        count++;
        sorted = Arrays.copyOf(ended, Math.min(count, KEPT));
        Arrays.sort(sorted);
    }

    /** How long to wait with the next question about a change that has been going on for so long. */
    public long next(long elapsed) {
        if (sorted.length < ENOUGH) {
            return interval;
        }
        long early = percentile(PERCENT_EARLY);
        if (elapsed < early) {
            return Math.max(1, early - elapsed);
        }
        return elapsed <= percentile(PERCENT_LATE)
                ? interval
                : Math.max(interval, Math.min(longest, elapsed / PART_OF_LATE));
    }

    private long percentile(int percent) {
        return sorted[(sorted.length - 1) * percent / HUNDRED];
    }
}
