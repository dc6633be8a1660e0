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
record Watch(
        long since,
        @Nullable Long silentSince,
        @Nullable Long waitsSince,
        @Nullable String away) {
    static Watch from(Moment now) {
        return new Watch(now.ticks(), null, null, null);
    }

    Watch goesOn() {
        return new Watch(since, null, null, null);
    }

    Watch waits(Moment now) {
        return new Watch(since, null, waitsSince == null ? now.ticks() : waitsSince, null);
    }

    Watch silent(Moment now) {
        return new Watch(since, silentSince == null ? now.ticks() : silentSince, waitsSince, away);
    }

    Watch away(String text) {
        return new Watch(since, silentSince, waitsSince, text);
    }

    /** Whether the silence is longer than a restart of k8sd makes it. */
    boolean lasts(Moment now) {
        return silentSince != null && now.ticks() - silentSince > Limits.SILENCE_LASTS;
    }

    /** What there is to say where an end is not expected any more; else null. */
    @Nullable
    String overdue(String text, Moment now) {
        if (silentSince != null) {
            return after(silentSince, Limits.SILENCE, now)
                    ? "nothing was heard of the change for long: " + (away == null ? text : away)
                    : null;
        }
        if (waitsSince != null) {
            return after(waitsSince, Limits.WAIT, now) ? text : null;
        }
        return after(since, Limits.CHANGE, now) ? "the change does not end: " + text : null;
    }

    private static boolean after(long begin, long most, Moment now) {
        return now.ticks() - begin > most;
    }
}
