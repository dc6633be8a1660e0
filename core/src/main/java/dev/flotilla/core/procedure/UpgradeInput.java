package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What came of an act, or came by itself. */
public sealed interface UpgradeInput {

    /** The attempt's command was renewed or taken back. */
    record CommandChanged(WorkerCommand command) implements UpgradeInput {}

    /** A report was committed. */
    record ReportCommitted(AttemptReport report) implements UpgradeInput {}

    record NodeInspected(NodeInspection inspection) implements UpgradeInput {}

    record ConnectAttempted(ConnectResult connectResult) implements UpgradeInput {}

    /**
     * The guards are set.
     *
     * @param forbiddenReason why the machine must not be upgraded now; null where nothing speaks against it
     */
    record GuardsSet(@Nullable String forbiddenReason) implements UpgradeInput {}

    /** Pods have to go before the guards are set, which may take long. */
    record DrainStarted() implements UpgradeInput {}

    /**
     * The machine and its cluster were judged.
     *
     * @param forbiddenReason why the machine must not be called now; null where nothing speaks against it
     */
    record PreconditionsChecked(@Nullable String forbiddenReason) implements UpgradeInput {}

    /**
     * The checks were asked.
     *
     * @param failedChecks those that do not hold, in their order
     */
    record ChecksRun(List<FailedCheck> failedChecks) implements UpgradeInput {
        public ChecksRun {
            failedChecks = List.copyOf(failedChecks);
        }
    }

    /** The call was not begun in time. */
    record PermitExpired() implements UpgradeInput {}

    record CallReturned(CallResult callResult) implements UpgradeInput {}

    record ChangePolled(ChangeStatus changeStatus) implements UpgradeInput {}

    record WaitElapsed() implements UpgradeInput {}

    record CleanedUp() implements UpgradeInput {}

    /** The session in which a licence was written, or was being, is over: nobody may use it any more. */
    record SessionEnded() implements UpgradeInput {}

    /** Somebody else is to go on with it: what is not used of a licence is given back. */
    record HandingOver() implements UpgradeInput {}
}
