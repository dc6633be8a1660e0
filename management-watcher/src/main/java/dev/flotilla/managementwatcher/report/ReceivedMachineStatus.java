package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was told of a machine: its row, and its latest attempt, which the row forgets when it is over.
 *
 * @param latestAttempt null where none was told of while this was listening
 * @param shown whether the object has shown how it ended: what becomes of it later is not undone
 * @param receivedAt when the row was written
 */
public record ReceivedMachineStatus(
        MachineStatus row, @Nullable UpgradeAttempt latestAttempt, boolean shown, Instant receivedAt) {
    ReceivedMachineStatus(MachineStatus row, @Nullable UpgradeAttempt latest, Instant at) {
        this(row, latest, false, at);
    }

    /** The same after another row. */
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

    /** The same once its object shows it. */
    ReceivedMachineStatus asShown() {
        return shown || row.attempt() != null ? this : new ReceivedMachineStatus(row, latestAttempt, true, receivedAt);
    }
}
