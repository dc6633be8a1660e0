package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state machine of what a command asks for: an upgrade, or its preparation. */
public sealed interface MachineProcedure permits UpgradeProcedure, PreparationProcedure {

    /** Creates the procedure of a command. */
    static MachineProcedure create(WorkerCommand command, UpgradeSafeguards upgradeSafeguards) {
        return command instanceof WorkerCommand.PrepareMachine prepare
                ? new PreparationProcedure(prepare, upgradeSafeguards)
                : new UpgradeProcedure(command, upgradeSafeguards);
    }

    /** Continues from the machine's last report, whichever worker wrote it. */
    List<UpgradeAction> begin(@Nullable AttemptProgress last, ClockReading now);

    /** Returns the next actions. Inputs that the current state does not wait for change nothing. */
    List<UpgradeAction> handle(UpgradeInput upgradeInput, ClockReading now);

    /** The newest command to upgrade, also after a cancellation; null if there is none. */
    WorkerCommand.@Nullable UpgradeMachine upgradeCommand();

    boolean isOver();

    /** Whether another worker can continue from the written reports alone. */
    boolean isSettled();
}
