package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The received status of a machine.
 *
 * @param shown whether the object has shown how the latest attempt ended: later changes do not undo that
 * @param receivedAt when the row was written
 */
record ReceivedMachineStatus(MachineStatus row, boolean shown, Instant receivedAt) {
    ReceivedMachineStatus(MachineStatus row, Instant at) {
        this(row, false, at);
    }

    /** Returns the status after another row. A row without another end of an attempt has been shown already. */
    static ReceivedMachineStatus receive(@Nullable ReceivedMachineStatus before, MachineStatus row, Instant at) {
        RolloutEntry latest = row.latestEntry();
        boolean shown = before != null
                && before.shown()
                && row.attempt() == null
                && before.row().uid().equals(row.uid())
                && (latest == null || before.row().entries().contains(latest));
        return new ReceivedMachineStatus(row, shown, at);
    }

    /** Returns the status of a machine whose object shows the result. */
    ReceivedMachineStatus asShown() {
        return shown || row.attempt() != null ? this : new ReceivedMachineStatus(row, true, receivedAt);
    }
}
