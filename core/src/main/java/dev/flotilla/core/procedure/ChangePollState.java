package dev.flotilla.core.procedure;

import org.jspecify.annotations.Nullable;

/**
 * How a change has been watched so far.
 *
 * @param since when
 * @param silentSince nobody has said anything of it; null while somebody does
 * @param waitsSince it waits for somebody to do something; null while it does not
 * @param away what says that the cluster's API is away as well; null while it is not known to be
 */
record ChangePollState(
        long since,
        @Nullable Long silentSince,
        @Nullable Long waitsSince,
        @Nullable String away) {
    static ChangePollState from(ClockReading now) {
        return new ChangePollState(now.monotonicMillis(), null, null, null);
    }

    ChangePollState withProgress() {
        return new ChangePollState(since, null, null, null);
    }

    ChangePollState withBlocked(ClockReading now) {
        return new ChangePollState(since, null, waitsSince == null ? now.monotonicMillis() : waitsSince, null);
    }

    ChangePollState withNoAnswer(ClockReading now) {
        return new ChangePollState(since, silentSince == null ? now.monotonicMillis() : silentSince, waitsSince, away);
    }

    ChangePollState away(String text) {
        return new ChangePollState(since, silentSince, waitsSince, text);
    }

    /** Whether the silence is longer than a restart of k8sd makes it. */
    boolean lasts(ClockReading now) {
        return silentSince != null && now.monotonicMillis() - silentSince > UpgradeTimeouts.SILENCE_LASTS;
    }

    /** What there is to say where an end is not expected any more; else null. */
    @Nullable
    String overdue(String text, ClockReading now) {
        if (silentSince != null) {
            return after(silentSince, UpgradeTimeouts.SILENCE, now)
                    ? "nothing was heard of the change for long: " + (away == null ? text : away)
                    : null;
        }
        if (waitsSince != null) {
            return after(waitsSince, UpgradeTimeouts.WAIT, now) ? text : null;
        }
        return after(since, UpgradeTimeouts.CHANGE, now) ? "the change does not end: " + text : null;
    }

    private static boolean after(long begin, long most, ClockReading now) {
        return now.monotonicMillis() - begin > most;
    }
}
