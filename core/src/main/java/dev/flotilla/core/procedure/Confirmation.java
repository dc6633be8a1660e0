package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A success that the checks after the call have to confirm. One without a call has to be confirmed too: else the attempt that
 * follows a check that did not hold would find the node at its target, and ask nothing.
 *
 * @param since when the checks first did not hold; null before
 */
record Confirmation(AttemptReport.Succeeded success, @Nullable Long since) {

    /** The end that these findings lead to; null where they may still change. */
    @Nullable
    AttemptReport end(List<Finding> findings, Moment now) {
        Finding waitedFor = null;
        for (Finding finding : findings) {
            if (finding.check().blocking()) {
                if (waited(now) >= finding.check().timeout().toMillis()) {
                    return new AttemptReport.Failed(FailureClass.RETRYABLE, FailureReason.CHECK_FAILED, finding.says());
                }
                waitedFor = finding;
            }
        }
        return waitedFor == null ? success : null;
    }

    Confirmation notYet(Moment now) {
        return since == null ? new Confirmation(success, now.ticks()) : this;
    }

    private long waited(Moment now) {
        return since == null ? 0 : now.ticks() - since;
    }

    /** Why no call may be made; null where nothing speaks against it. */
    static @Nullable String forbids(List<Finding> findings) {
        for (Finding finding : findings) {
            if (finding.check().blocking()) {
                return finding.says();
            }
        }
        return null;
    }
}
