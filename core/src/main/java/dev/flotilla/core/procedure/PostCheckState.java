package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A success that the checks after the call have to confirm. One without a call has to be confirmed too: else the attempt that
 * follows a check that did not hold would find the node at its target, and ask nothing.
 *
 * @param since when the checks first did not hold; null before
 */
record PostCheckState(
        AttemptReport.Succeeded success, @Nullable Long since) {

    /** The end that these findings lead to; null where they may still change. */
    @Nullable
    AttemptReport reportOf(List<FailedCheck> findings, ClockReading now) {
        FailedCheck waitedFor = null;
        for (FailedCheck failedCheck : findings) {
            if (failedCheck.check().blocking()) {
                if (waited(now) >= failedCheck.check().timeout().toMillis()) {
                    return new AttemptReport.Failed(
                            FailureClass.RETRYABLE, FailureReason.CHECK_FAILED, failedCheck.message());
                }
                waitedFor = failedCheck;
            }
        }
        return waitedFor == null ? success : null;
    }

    PostCheckState withFailure(ClockReading now) {
        return since == null ? new PostCheckState(success, now.monotonicMillis()) : this;
    }

    private long waited(ClockReading now) {
        return since == null ? 0 : now.monotonicMillis() - since;
    }

    /** Why no call may be made; null where nothing speaks against it. */
    static @Nullable String forbiddingCheck(List<FailedCheck> findings) {
        for (FailedCheck failedCheck : findings) {
            if (failedCheck.check().blocking()) {
                return failedCheck.message();
            }
        }
        return null;
    }
}
