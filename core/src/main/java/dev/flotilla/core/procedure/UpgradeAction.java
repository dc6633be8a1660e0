package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.HealthCheck;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;

/** What the shell is to do next. Each is answered by its signal, or never: the machine bears both. */
public sealed interface UpgradeAction {

    /** Write a report. One that is not written yet gives way to a later one. Answered by {@link UpgradeInput.ReportCommitted}. */
    record WriteReport(AttemptReport report) implements UpgradeAction {}

    /** Look at the node, and change nothing. Answered by {@link UpgradeInput.NodeInspected}. */
    record InspectNode() implements UpgradeAction {}

    /** Reach the node's k8sd and show it the token, and change nothing. Answered by {@link UpgradeInput.ConnectAttempted}. */
    record ConnectToK8sd() implements UpgradeAction {}

    /** Set the guards on the machine, and judge the object that comes back. Answered by {@link UpgradeInput.GuardsSet}. */
    record SetGuards() implements UpgradeAction {}

    /** Judge the machine and its cluster as they are now. Answered by {@link UpgradeInput.PreconditionsChecked}. */
    record CheckPreconditions() implements UpgradeAction {}

    /** Ask whether these hold. Answered by {@link UpgradeInput.ChecksRun}. */
    record RunChecks(List<HealthCheck> healthChecks) implements UpgradeAction {
        public RunChecks {
            healthChecks = List.copyOf(healthChecks);
        }
    }

    /**
     * Make the one call. Where its time has passed before it is written, {@link UpgradeInput.PermitExpired} says so; else
     * {@link UpgradeInput.CallReturned}.
     *
     * @param permitDeadline it must be written before then, on the clock that nobody sets
     */
    record CallRefresh(UpgradeTarget target, long permitDeadline) implements UpgradeAction {}

    /** Ask how a change stands. Answered by {@link UpgradeInput.ChangePolled}. */
    record PollChange(String changeId) implements UpgradeAction {}

    /** Let some time pass. Answered by {@link UpgradeInput.WaitElapsed}. */
    record Wait(WaitReason reason) implements UpgradeAction {}

    /** Undo the cordon and the guards, if they are this attempt's. Answered by {@link UpgradeInput.CleanedUp}. */
    record CleanUp() implements UpgradeAction {}
}
