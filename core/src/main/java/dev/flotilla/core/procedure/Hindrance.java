package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import org.jspecify.annotations.Nullable;

/** What has kept calls from beginning, and since when without a break. */
record Hindrance(FailureReason reason, long since) {

    /** The same goes on, or another takes its place. */
    static Hindrance of(@Nullable Hindrance before, FailureReason reason, Moment now) {
        return before != null && before.reason() == reason ? before : new Hindrance(reason, now.ticks());
    }

    /** What is said where it has lasted too long; else null. */
    @Nullable
    AttemptReport overdue(String text, Moment now) {
        long most = reason == FailureReason.NODE_BUSY ? Limits.BUSY : Limits.DARK;
        return now.ticks() - since > most ? new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text) : null;
    }
}
