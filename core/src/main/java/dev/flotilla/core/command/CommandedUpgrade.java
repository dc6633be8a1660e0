package dev.flotilla.core.command;

import dev.flotilla.core.upgrade.ClockReading;
import dev.flotilla.core.upgrade.MachineProcedure;
import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.core.upgrade.UpgradeSafeguards;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The upgrade of one machine that a command asks for, or its preparation: runs its procedure until it ends, is stopped or
 * handed over.
 */
public final class CommandedUpgrade {
    private final WorkerCommand firstCommand;
    private final MachineProcedure procedure;
    private boolean stopped;
    private boolean handingOver;
    /** Whether the procedure has a report that is not enqueued yet. */
    private boolean reportDue;

    CommandedUpgrade(WorkerCommand firstCommand, UpgradeSafeguards upgradeSafeguards) {
        this.firstCommand = firstCommand;
        this.procedure = MachineProcedure.create(firstCommand, upgradeSafeguards);
    }

    /** The command that started it. */
    public WorkerCommand firstCommand() {
        return firstCommand;
    }

    /** Whether it only prepares an upgrade, and so sets no guards. */
    public boolean isPreparation() {
        return firstCommand instanceof WorkerCommand.PrepareMachine;
    }

    /** The newest command to upgrade, also after a cancellation; null if there is none. */
    public WorkerCommand.@Nullable UpgradeMachine upgradeCommand() {
        return procedure.upgradeCommand();
    }

    /** Whether it ignores all inputs: another worker or attempt continues, or its command was removed. */
    public boolean isStopped() {
        return stopped;
    }

    /** Whether its final report is known, committed or not. */
    public boolean hasEnded() {
        return procedure.isOver();
    }

    /**
     * Whether a report that was committed is the final one. The final report may still wait for its evidence while an
     * earlier one is committed.
     */
    public boolean isEndedBy(AttemptReport committed) {
        return committed.isFinal() && hasEnded();
    }

    /** Continues from the machine's last report. */
    public List<UpgradeAction> begin(@Nullable AttemptProgress lastReport, ClockReading now) {
        return stopped ? List.of() : noteReport(procedure.begin(lastReport, now));
    }

    public List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now) {
        if (stopped) {
            return List.of();
        }
        List<UpgradeAction> actions = new ArrayList<>(procedure.handle(upgradeInput, now));
        if (handingOver) {
            actions.addAll(procedure.handle(new UpgradeInput.HandingOver(), now));
            stopped = canHandOver();
        }
        return noteReport(actions);
    }

    /** Prepares for another worker: settles an uncertain call first and begins nothing more. */
    List<UpgradeAction> handOver(ClockReading now) {
        handingOver = true;
        List<UpgradeAction> actions =
                stopped ? List.of() : noteReport(procedure.handle(new UpgradeInput.HandingOver(), now));
        stopped |= canHandOver();
        return actions;
    }

    private boolean canHandOver() {
        return procedure.isSettled() && !procedure.isOver();
    }

    /** Whether another worker can continue from the reports, once all are written. */
    boolean isSettled() {
        return stopped || (procedure.isSettled() && !reportDue);
    }

    void stop() {
        stopped = true;
    }

    MachineKey key() {
        return firstCommand.key();
    }

    long attemptId() {
        return firstCommand.attemptId();
    }

    /** Returns the row that reports to the leader. */
    AttemptProgress createProgress(AttemptReport report, ClockReading now) {
        reportDue = false;
        return new AttemptProgress(
                firstCommand.key(),
                firstCommand.uid(),
                firstCommand.attemptId(),
                report,
                Instant.ofEpochMilli(now.wallMillis()));
    }

    private List<UpgradeAction> noteReport(List<UpgradeAction> actions) {
        reportDue |= actions.stream().anyMatch(action -> action instanceof UpgradeAction.WriteReport);
        return actions;
    }
}
