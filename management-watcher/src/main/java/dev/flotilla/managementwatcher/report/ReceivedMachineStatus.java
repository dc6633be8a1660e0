package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The received status of a machine: its row, and its latest attempt, which the row does not contain any more when it is
 * over.
 *
 * @param latestAttempt null if none was received since this watcher started to read
 * @param shown whether the object has shown how the attempt ended: later changes do not undo that
 * @param receivedAt when the row was written
 */
record ReceivedMachineStatus(
        MachineStatus row, @Nullable UpgradeAttempt latestAttempt, boolean shown, Instant receivedAt) {
    ReceivedMachineStatus(MachineStatus row, @Nullable UpgradeAttempt latest, Instant at) {
        this(row, latest, false, at);
    }

    /** Returns the status after another row. */
    public static ReceivedMachineStatus receive(@Nullable ReceivedMachineStatus before, MachineStatus row, Instant at) {
        if (row.attempt() != null || before == null || !before.row().uid().equals(row.uid())) {
            return new ReceivedMachineStatus(row, row.attempt(), at);
        }
        return new ReceivedMachineStatus(
                row,
                before.latestAttempt(),
                before.shown() && before.row().entries().equals(row.entries()),
                at);
    }

    /** Returns the status of a machine whose object shows the result. */
    ReceivedMachineStatus asShown() {
        return shown || row.attempt() != null ? this : new ReceivedMachineStatus(row, latestAttempt, true, receivedAt);
    }
}
