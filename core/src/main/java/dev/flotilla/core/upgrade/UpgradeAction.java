package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** What the worker must do next. Each action is answered by its input, or never: the procedure handles both. */
public sealed interface UpgradeAction {

    /**
     * Write a report. A later report replaces one that is not written yet. Answered by {@link
     * UpgradeInput.ReportCommitted}.
     */
    record WriteReport(AttemptReport report) implements UpgradeAction {}

    /** Inspect the node without changing anything. Answered by {@link UpgradeInput.NodeInspected}. */
    record InspectNode() implements UpgradeAction {}

    /**
     * Connect to the machine's upgrade provider and authenticate, without changing anything. Answered by {@link
     * UpgradeInput.ConnectAttempted}.
     */
    record ConnectToProvider() implements UpgradeAction {}

    /**
     * Set the guard annotations on the machine and check the returned object. Answered by {@link
     * UpgradeInput.GuardsSet}.
     */
    record SetGuards() implements UpgradeAction {}

    /**
     * Check the live preconditions of the machine and its cluster. Answered by {@link
     * UpgradeInput.PreconditionsChecked}.
     */
    record CheckPreconditions() implements UpgradeAction {}

    /** Run these health checks. Answered by {@link UpgradeInput.ChecksRun}. */
    record RunChecks(List<HealthCheck> healthChecks) implements UpgradeAction {
        public RunChecks {
            healthChecks = List.copyOf(healthChecks);
        }
    }

    /**
     * Make the one call. Answered by {@link UpgradeInput.CallReturned}. If the session of the call permit is
     * over, or the deadline has passed, right before the request is written, it is not sent.
     *
     * @param permitDeadline until when the request must be written, on the monotonic clock
     */
    record CallUpgrade(UpgradeTarget target, long permitDeadline) implements UpgradeAction {
        public boolean isInTime(long monotonicMillis) {
            return monotonicMillis < permitDeadline;
        }
    }

    /** Poll the status of a change. Answered by {@link UpgradeInput.ChangePolled}. */
    record PollChange(String changeId) implements UpgradeAction {}

    /**
     * Ask the provider to abort a change, unless it was asked already, and poll the change's status. Answered by {@link
     * UpgradeInput.ChangePolled}.
     */
    record AbortChange(String changeId) implements UpgradeAction {}

    /** Wait. Answered by {@link UpgradeInput.WaitElapsed}. */
    record Wait(WaitReason reason) implements UpgradeAction {}

    /**
     * Remove the cordon and the guard annotations if this attempt has set them. Answered by {@link
     * UpgradeInput.CleanedUp}.
     */
    record CleanUp() implements UpgradeAction {}
}
