package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A success that the checks after the call must confirm. A success without a call must be confirmed too: otherwise the
 * attempt after a failed check would find the node at its target and run no checks.
 *
 * @param since when the checks first failed; null before
 */
record PostCheckState(
        AttemptReport.Succeeded success, @Nullable Long since) {

    /** The final report for these failed checks; null while they are retried. */
    @Nullable
    AttemptReport reportOf(List<FailedCheck> failedChecks, ClockReading now) {
        FailedCheck retried = null;
        for (FailedCheck failedCheck : failedChecks) {
            if (failedCheck.check().blocking()) {
                if (failingMillis(now) >= failedCheck.check().timeout().toMillis()) {
                    return new AttemptReport.Failed(
                            FailureClass.RETRYABLE, FailureReason.CHECK_FAILED, failedCheck.message());
                }
                retried = failedCheck;
            }
        }
        return retried == null ? success : null;
    }

    PostCheckState withFailure(ClockReading now) {
        return since == null ? new PostCheckState(success, now.monotonicMillis()) : this;
    }

    private long failingMillis(ClockReading now) {
        return since == null ? 0 : now.monotonicMillis() - since;
    }

    /** The message of the first failed check that forbids the call; null if there is none. */
    static @Nullable String forbiddingCheck(List<FailedCheck> failedChecks) {
        for (FailedCheck failedCheck : failedChecks) {
            if (failedCheck.check().blocking()) {
                return failedCheck.message();
            }
        }
        return null;
    }
}
