package dev.flotilla.core.upgrade;

import org.jspecify.annotations.Nullable;

/**
 * How the polling of a change has gone so far.
 *
 * @param since when polling started
 * @param silentSince since when the change's status has not been reported; null while it is
 * @param blockedSince since when the change has been blocked until somebody acts on the node; null while it is not
 * @param apiUnreachableMessage message that the cluster's API is unreachable as well; null while that is not known
 */
record ChangePollState(
        long since,
        @Nullable Long silentSince,
        @Nullable Long blockedSince,
        @Nullable String apiUnreachableMessage) {
    static ChangePollState from(ClockReading now) {
        return new ChangePollState(now.monotonicMillis(), null, null, null);
    }

    ChangePollState withProgress() {
        return new ChangePollState(since, null, null, null);
    }

    ChangePollState withBlocked(ClockReading now) {
        return new ChangePollState(since, null, blockedSince == null ? now.monotonicMillis() : blockedSince, null);
    }

    ChangePollState withNoAnswer(ClockReading now) {
        return new ChangePollState(
                since, silentSince == null ? now.monotonicMillis() : silentSince, blockedSince, apiUnreachableMessage);
    }

    ChangePollState withApiUnreachable(String text) {
        return new ChangePollState(since, silentSince, blockedSince, text);
    }

    /** Whether nothing was reported for longer than a restart of k8sd takes. */
    boolean isSilentTooLong(ClockReading now) {
        return silentSince != null && now.monotonicMillis() - silentSince > UpgradeTimeouts.SILENCE_BEFORE_API_PROBE;
    }

    /**
     * The message if the change has taken too long; otherwise null.
     *
     * @param reporter what reports the change's status
     */
    @Nullable
    String overdueMessage(String reporter, String text, ClockReading now) {
        if (silentSince != null) {
            return isLongerThan(silentSince, UpgradeTimeouts.SILENCE, now)
                    ? reporter + " has not reported the change's status for 30 min: "
                            + (apiUnreachableMessage == null ? text : apiUnreachableMessage)
                    : null;
        }
        if (blockedSince != null) {
            return isLongerThan(blockedSince, UpgradeTimeouts.CHANGE_BLOCKED, now) ? text : null;
        }
        return isLongerThan(since, UpgradeTimeouts.CHANGE, now)
                ? "the change has not ended within 60 min: " + text
                : null;
    }

    private static boolean isLongerThan(long start, long limit, ClockReading now) {
        return now.monotonicMillis() - start > limit;
    }
}
