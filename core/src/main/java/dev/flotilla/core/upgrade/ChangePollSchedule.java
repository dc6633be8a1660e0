package dev.flotilla.core.upgrade;

import java.util.Arrays;

/**
 * When to poll a change, learned from earlier changes of the same kind. Polling starts when the first changes usually
 * end, or earlier if some failed recently. It is frequent while an end is likely, and becomes rarer once almost all
 * changes would have ended. All times are milliseconds since the change started.
 */
public final class ChangePollSchedule {
    /** How many durations are remembered. Neighbouring machines are alike, so the newest durations predict best. */
    private static final int KEPT_DURATIONS = 200;

    /** With fewer durations polling starts at once: the known ones may be the quick ones. */
    private static final int ENOUGH_TO_DELAY_POLLS = 10;

    /** Number of polls while changes of similar duration end. */
    private static final int STEPS = 5;

    /** With no durations, this many of the first intervals are halved: some changes are short. */
    private static final int HALVED_INTERVALS = 8;

    /** Polling starts at this percentile: starting earlier costs more requests than the saved delay is worth. */
    private static final int EARLY_PERCENTILE = 4;

    private static final int LATE_PERCENTILE = 99;

    /**
     * With fewer durations the late percentile is unreliable: of changes that started together, the quick ones end
     * first.
     */
    private static final int ENOUGH_FOR_LATE = 100;

    private static final int HUNDRED = 100;

    /** After the late percentile the interval grows by this fraction of the lateness. */
    private static final int LATENESS_DIVISOR = 10;

    /** After a recent failure the next poll comes after this multiple of the change's age. */
    private static final int AGE_FACTOR_AFTER_FAILURE = 2;

    private final long interval;
    private final long longest;
    private final long[] durations = new long[KEPT_DURATIONS];
    private long[] sorted = new long[0];
    private int count;
    private int lastFailure = -KEPT_DURATIONS;

    /**
     * A schedule without any durations.
     *
     * @param interval between two polls while an end is expected; an end is noticed half an interval late on
     *     average
     * @param longest the maximum interval, however late the change is
     */
    public ChangePollSchedule(long interval, long longest) {
        this.interval = interval;
        this.longest = longest;
    }

    /** Records the duration of a change that ended. */
    public void recordEnded(long millis) {
        durations[count % KEPT_DURATIONS] = millis;
        count++;
        sorted = Arrays.copyOf(durations, Math.min(count, KEPT_DURATIONS));
        Arrays.sort(sorted);
    }

    /** Records a failed change: failures can end at any time. */
    public void recordFailed() {
        lastFailure = count;
    }

    /** How long to wait before the next poll of a change that has been running for some time. */
    public long nextDelay(long elapsed) {
        if (sorted.length < ENOUGH_TO_DELAY_POLLS) {
            return delayFromFewDurations(elapsed);
        }
        long step = step();
        // A change that ended before the first poll is known only by that poll: without subtracting a step the first
        // poll would move later and later.
        long early = percentile(EARLY_PERCENTILE) - step;
        // Close to the first poll: do not poll twice in quick succession.
        if (elapsed + step / 2 < early) {
            long untilFirstPoll = early - elapsed;
            return count - lastFailure < KEPT_DURATIONS
                    ? Math.min(untilFirstPoll, Math.max(interval, AGE_FACTOR_AFTER_FAILURE * elapsed))
                    : untilFirstPoll;
        }
        long late = percentile(LATE_PERCENTILE);
        if (elapsed <= late) {
            return step;
        }
        return sorted.length < ENOUGH_FOR_LATE
                ? interval
                : Math.min(longest, interval + (elapsed - late) / LATENESS_DIVISOR);
    }

    /** The delay with few durations: frequent between the shortest and the longest of them. */
    private long delayFromFewDurations(long elapsed) {
        if (sorted.length == 0) {
            return elapsed < HALVED_INTERVALS * interval ? interval / 2 : interval;
        }
        long early = sorted[0] - interval;
        if (elapsed < early) {
            return Math.min(interval, Math.max(interval / STEPS, early - elapsed));
        }
        return elapsed <= sorted[sorted.length - 1] ? interval / STEPS : interval;
    }

    /** The interval while an end is expected: shorter where all changes end at about the same time. */
    private long step() {
        long spread = percentile(LATE_PERCENTILE) - percentile(EARLY_PERCENTILE);
        return Math.clamp((spread + interval) / STEPS, interval / STEPS, interval);
    }

    private long percentile(int percent) {
        return sorted[(sorted.length - 1) * percent / HUNDRED];
    }
}
