package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import org.jspecify.annotations.Nullable;

/** A write to an UpgradeTask. */
sealed interface UpgradeTaskWrite {
    /** The task as it was read. */
    UpgradeTaskView task();

    /** Returns what is written, for the log. */
    String label();

    /** Adds or removes the finalizer, only on the object that was read. */
    record TaskFinalizerWrite(UpgradeTaskView task, boolean present) implements UpgradeTaskWrite {
        @Override
        public String label() {
            return "finalizer";
        }
    }

    /**
     * Sets the status.
     *
     * @param event Event to create with it; null for none
     */
    record TaskStatusWrite(
            UpgradeTaskView task,
            UpgradeTaskStatus status,
            @Nullable UpgradeEvent event) implements UpgradeTaskWrite {
        @Override
        public String label() {
            return "status";
        }
    }

    /** Deletes a task whose time after its end is over. */
    record TaskDeletion(UpgradeTaskView task) implements UpgradeTaskWrite {
        @Override
        public String label() {
            return "deletion";
        }
    }
}
