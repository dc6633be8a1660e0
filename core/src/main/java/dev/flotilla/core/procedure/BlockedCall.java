package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import org.jspecify.annotations.Nullable;

/** What has kept calls from beginning, and since when without a break. */
record BlockedCall(FailureReason reason, long since) {

    /** The same goes on, or another takes its place. */
    static BlockedCall of(@Nullable BlockedCall before, FailureReason reason, ClockReading now) {
        return before != null && before.reason() == reason ? before : new BlockedCall(reason, now.monotonicMillis());
    }

    /** What is said where it has lasted too long; else null. */
    @Nullable
    AttemptReport overdue(String text, ClockReading now) {
        long most = reason == FailureReason.NODE_BUSY ? UpgradeTimeouts.BUSY : UpgradeTimeouts.UNREACHABLE;
        return now.monotonicMillis() - since > most
                ? new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text)
                : null;
    }
}
