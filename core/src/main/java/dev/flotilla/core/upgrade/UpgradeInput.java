package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of an action, or an event from outside. */
public sealed interface UpgradeInput {

    /** The attempt's command was renewed or cancelled. */
    record CommandChanged(WorkerCommand command) implements UpgradeInput {}

    /** A report was committed. */
    record ReportCommitted(AttemptReport report) implements UpgradeInput {}

    record NodeInspected(NodeInspection inspection) implements UpgradeInput {}

    record ConnectAttempted(ConnectResult connectResult) implements UpgradeInput {}

    /**
     * The guard annotations are set.
     *
     * @param forbiddenReason why the machine must not be upgraded now; null if nothing forbids it
     */
    record GuardsSet(@Nullable String forbiddenReason) implements UpgradeInput {}

    /** Pods must be evicted before the guards are set, which may take long. */
    record DrainStarted() implements UpgradeInput {}

    /**
     * The live preconditions of the machine and its cluster were checked.
     *
     * @param forbiddenReason why the call must not be made now; null if nothing forbids it
     */
    record PreconditionsChecked(@Nullable String forbiddenReason) implements UpgradeInput {}

    /**
     * The health checks were run.
     *
     * @param failedChecks the checks that failed, in their order
     */
    record ChecksRun(List<FailedCheck> failedChecks) implements UpgradeInput {
        public ChecksRun {
            failedChecks = List.copyOf(failedChecks);
        }
    }

    record CallReturned(CallResult callResult) implements UpgradeInput {}

    record ChangePolled(ChangeStatus changeStatus) implements UpgradeInput {}

    record WaitElapsed() implements UpgradeInput {}

    record CleanedUp() implements UpgradeInput {}

    /**
     * The session in which the call permit was written, or was being written, is over: the permit must not be used any
     * more.
     */
    record SessionEnded() implements UpgradeInput {}

    /** Another worker will continue the attempt: an unused call permit is returned. */
    record HandingOver() implements UpgradeInput {}
}
