package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.trace.AttemptTrace;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The received status of a machine.
 *
 * @param shown whether the object has shown how the latest attempt ended: later changes do not undo that
 * @param receivedAt when the row was written
 * @param trace trace of the open attempt, or of the one that the row has ended; null if the row names none
 */
record ReceivedMachineStatus(
        MachineStatus row,
        boolean shown,
        Instant receivedAt,
        @Nullable AttemptTrace trace) {
    ReceivedMachineStatus(MachineStatus row, Instant at) {
        this(row, false, at, null);
    }

    /** Returns the status after another row. A row without another end of an attempt has been shown already. */
    static ReceivedMachineStatus receive(@Nullable ReceivedMachineStatus before, MachineStatus row, Instant at) {
        return receive(before, row, at, null);
    }

    /** Returns the status after another row, which belongs to a trace. */
    static ReceivedMachineStatus receive(
            @Nullable ReceivedMachineStatus before, MachineStatus row, Instant at, @Nullable AttemptTrace trace) {
        RolloutEntry latest = row.latestEntry();
        boolean shown = before != null
                && before.shown()
                && row.attempt() == null
                && before.row().uid().equals(row.uid())
                && (latest == null || before.row().entries().contains(latest));
        return new ReceivedMachineStatus(row, shown, at, trace);
    }

    /** Returns the status of a machine whose object shows the result. */
    ReceivedMachineStatus asShown() {
        return shown || row.attempt() != null ? this : new ReceivedMachineStatus(row, true, receivedAt, trace);
    }

    /** The trace of the attempt that a write to the object shows now; null if the row names none, or the object has shown its end. */
    @Nullable
    AttemptTrace shownTrace() {
        return shown ? null : trace;
    }
}
