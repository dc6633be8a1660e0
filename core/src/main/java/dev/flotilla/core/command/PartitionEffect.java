package dev.flotilla.core.command;

import dev.flotilla.core.upgrade.UpgradeAction;
import dev.flotilla.core.upgrade.UpgradeInput;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the worker must do for one of a partition's upgrades. Effects are carried out in their order. */
public sealed interface PartitionEffect {
    CommandedUpgrade upgrade();

    /**
     * Begin the upgrade.
     *
     * @param lastReport the last committed report about its machine, whichever worker wrote it
     */
    record StartUpgrade(CommandedUpgrade upgrade, @Nullable AttemptProgress lastReport) implements PartitionEffect {}

    /** Perform these actions of its procedure. */
    record PerformActions(CommandedUpgrade upgrade, List<UpgradeAction> actions) implements PartitionEffect {
        public PerformActions {
            actions = List.copyOf(actions);
        }
    }

    /** Pass on, as {@link UpgradeInput.ReportCommitted}, that this report is committed. */
    record ReportCommitted(CommandedUpgrade upgrade, AttemptReport report) implements PartitionEffect {}

    /** Release what the upgrade holds: it has ended, or another worker or attempt continues on its machine. */
    record StopUpgrade(CommandedUpgrade upgrade) implements PartitionEffect {}

    /** Remove cordon and guards, and then release what the upgrade holds: its command was removed. */
    record CleanUpAbandoned(CommandedUpgrade upgrade) implements PartitionEffect {}
}
