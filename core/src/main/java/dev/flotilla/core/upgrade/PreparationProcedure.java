package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of one preparation. It needs no call permit, no guards and no proof, because nothing that runs changes:
 * its object is created by a name that follows from the command, so a worker that takes over finds it or creates it.
 */
final class PreparationProcedure implements MachineProcedure {
    private enum PreparationStep {
        CONNECTING,
        CREATING,
        POLLING,
        ENDED
    }

    private final UpgradeSafeguards upgradeSafeguards;
    private WorkerCommand.PrepareMachine command;
    private PreparationStep step = PreparationStep.CONNECTING;
    /** Why the last request had no effect. */
    private String problem = "nothing was requested yet";

    /** What a person must create first; null for nothing. */
    private @Nullable String missingConfiguration;

    PreparationProcedure(WorkerCommand.PrepareMachine command, UpgradeSafeguards upgradeSafeguards) {
        this.command = command;
        this.upgradeSafeguards = upgradeSafeguards;
    }

    @Override
    public WorkerCommand.@Nullable UpgradeMachine upgradeCommand() {
        return null;
    }

    @Override
    public boolean isOver() {
        return step == PreparationStep.ENDED;
    }

    @Override
    public boolean isSettled() {
        return true;
    }

    @Override
    public List<UpgradeAction> begin(@Nullable AttemptProgress last, ClockReading now) {
        if (last != null
                && (last.attemptId() > command.attemptId()
                        || (last.attemptId() == command.attemptId()
                                && last.report().isFinal()))) {
            step = PreparationStep.ENDED;
            return List.of();
        }
        // Reads an object that exists already, also after the lease.
        return isLate(command.leaseExpiresAt(), now) ? pollObject() : connect();
    }

    @Override
    public List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now) {
        if (upgradeInput instanceof UpgradeInput.CommandChanged changed) {
            return handleCommand(changed.command());
        }
        return switch (step) {
            case CONNECTING ->
                switch (upgradeInput) {
                    case UpgradeInput.ConnectAttempted attempted -> handleConnect(attempted.connectResult(), now);
                    case UpgradeInput.WaitElapsed elapsed -> connect();
                    default -> List.of();
                };
            case CREATING ->
                upgradeInput instanceof UpgradeInput.CallReturned returned
                        ? handleCreation(returned.callResult(), now)
                        : List.of();
            case POLLING ->
                switch (upgradeInput) {
                    case UpgradeInput.ChangePolled polled -> handleStatus(polled.changeStatus(), now);
                    case UpgradeInput.WaitElapsed elapsed -> pollObject();
                    default -> List.of();
                };
            case ENDED -> List.of();
        };
    }

    private List<UpgradeAction> handleCommand(WorkerCommand next) {
        if (next instanceof WorkerCommand.PrepareMachine prepare) {
            command = prepare;
            return List.of();
        }
        return next instanceof WorkerCommand.CancelUpgrade && upgradeSafeguards.honoursCancel() && !isOver()
                ? end(new AttemptReport.Cancelled())
                : List.of();
    }

    private List<UpgradeAction> connect() {
        step = PreparationStep.CONNECTING;
        missingConfiguration = null;
        return List.of(new UpgradeAction.ConnectToProvider());
    }

    private List<UpgradeAction> handleConnect(ConnectResult connectResult, ClockReading now) {
        return switch (connectResult) {
            case ConnectResult.Connected connected -> {
                step = PreparationStep.CREATING;
                yield List.of(
                        new UpgradeAction.CallUpgrade(command.target(), monotonicOf(command.leaseExpiresAt(), now)));
            }
            case ConnectResult.NotReachable notReachable -> tryAgain(notReachable.text(), now);
            case ConnectResult.NotConfigured notConfigured -> {
                missingConfiguration = notConfigured.text();
                // An object that an earlier request has created goes on.
                yield pollObject();
            }
            case ConnectResult.ConnectionRefused refused ->
                end(new AttemptReport.Failed(refused.failureClass(), refused.reason(), refused.text()));
        };
    }

    private List<UpgradeAction> handleCreation(CallResult callResult, ClockReading now) {
        return switch (callResult) {
            case CallResult.ChangeStarted started -> waitForObject();
            case CallResult.NothingToDo nothing -> end(new AttemptReport.Prepared());
            case CallResult.NodeBusy busy -> tryAgain(busy.text(), now);
            case CallResult.NotSent notSent -> tryAgain(notSent.text(), now);
            case CallResult.NoAnswer noAnswer -> tryAgain(noAnswer.text(), now);
            case CallResult.CallRejected rejected ->
                end(new AttemptReport.Failed(rejected.failureClass(), rejected.reason(), rejected.text()));
        };
    }

    /** Creating an object that exists already is no second preparation. */
    private List<UpgradeAction> tryAgain(String reason, ClockReading now) {
        problem = reason;
        if (isLate(command.leaseExpiresAt(), now)) {
            // Without an answer the object may exist.
            return pollObject();
        }
        step = PreparationStep.CONNECTING;
        return List.of(new UpgradeAction.Wait(WaitReason.IDLE_NODE));
    }

    private List<UpgradeAction> waitForObject() {
        step = PreparationStep.POLLING;
        return List.of(new UpgradeAction.Wait(WaitReason.CHANGE));
    }

    private List<UpgradeAction> pollObject() {
        step = PreparationStep.POLLING;
        return List.of(new UpgradeAction.PollChange(NodeUpgradeName.of(command)));
    }

    private List<UpgradeAction> handleStatus(ChangeStatus changeStatus, ClockReading now) {
        return switch (changeStatus) {
            case ChangeStatus.ChangeDone done -> end(new AttemptReport.Prepared());
            case ChangeStatus.ChangeFailed failed ->
                end(new AttemptReport.Failed(failed.failureClass(), failed.reason(), failed.text()));
            case ChangeStatus.ChangeAborted aborted -> end(failed(FailureReason.NODE_UPGRADE_FAILED, aborted.text()));
            case ChangeStatus.ChangeForgotten forgotten -> handleMissingObject(now);
            case ChangeStatus.InProgress inProgress -> waitUntilDeadline(inProgress.text(), now);
            case ChangeStatus.Blocked blocked -> waitUntilDeadline(blocked.text(), now);
            case ChangeStatus.StatusUnavailable unavailable -> waitUntilDeadline(unavailable.text(), now);
            case ChangeStatus.AwaitsPeers awaitsPeers -> waitUntilDeadline(awaitsPeers.text(), now);
        };
    }

    private List<UpgradeAction> handleMissingObject(ClockReading now) {
        if (missingConfiguration != null) {
            return end(new AttemptReport.Deferred(missingConfiguration));
        }
        return isLate(command.leaseExpiresAt(), now)
                ? end(failed(
                        FailureReason.CHANGE_LOST,
                        "NodeUpgrade " + NodeUpgradeName.of(command) + " does not exist: " + problem))
                : connect();
    }

    private List<UpgradeAction> waitUntilDeadline(String status, ClockReading now) {
        return isLate(command.deadline().plusMillis(UpgradeTimeouts.CALL_SETTLED), now)
                ? end(failed(FailureReason.DEADLINE, "not prepared by " + command.deadline() + ": " + status))
                : waitForObject();
    }

    private static AttemptReport.Failed failed(FailureReason reason, String text) {
        return new AttemptReport.Failed(FailureClass.RETRYABLE, reason, text);
    }

    private List<UpgradeAction> end(AttemptReport report) {
        step = PreparationStep.ENDED;
        return List.of(new UpgradeAction.WriteReport(report));
    }

    private static boolean isLate(Instant instant, ClockReading now) {
        return now.monotonicMillis() >= monotonicOf(instant, now);
    }

    /** An instant on the monotonic clock, with a margin for clock differences. */
    private static long monotonicOf(Instant instant, ClockReading now) {
        return now.monotonicMillis() + instant.toEpochMilli() - UpgradeTimeouts.CLOCK_MARGIN - now.wallMillis();
    }
}
