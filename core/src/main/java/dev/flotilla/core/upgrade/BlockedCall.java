package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import org.jspecify.annotations.Nullable;

/** The reason why calls could not be made, and the time since which it has applied without interruption. */
record BlockedCall(FailureReason reason, long since) {

    /** Keeps the start time if the reason is the same as before; otherwise starts again now. */
    static BlockedCall startOrContinue(@Nullable BlockedCall before, FailureReason reason, ClockReading now) {
        return before != null && before.reason() == reason ? before : new BlockedCall(reason, now.monotonicMillis());
    }

    /** The failure to report if calls have been blocked for too long; otherwise null. */
    @Nullable
    AttemptReport failureIfOverdue(String text, ClockReading now) {
        long limit = reason == FailureReason.NODE_BUSY ? UpgradeTimeouts.BUSY : UpgradeTimeouts.UNREACHABLE;
        return now.monotonicMillis() - since > limit
                ? new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text)
                : null;
    }
}
