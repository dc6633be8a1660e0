package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.MachineStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was told of a machine: its row, and its latest attempt, which the row forgets when it is over.
 *
 * @param latest null where none was told of while this was listening
 * @param shown whether the object has shown how it ended: what becomes of it later is not undone
 * @param at when the row was written
 */
public record Told(MachineStatus row, @Nullable UpgradeAttempt latest, boolean shown, Instant at) {
    Told(MachineStatus row, @Nullable UpgradeAttempt latest, Instant at) {
        this(row, latest, false, at);
    }

    /** The same after another row. */
    public static Told of(@Nullable Told before, MachineStatus row, Instant at) {
        if (row.attempt() != null || before == null || !before.row().uid().equals(row.uid())) {
            return new Told(row, row.attempt(), at);
        }
        return new Told(
                row, before.latest(), before.shown() && before.row().entries().equals(row.entries()), at);
    }

    /** The same once its object shows it. */
    Told asShown() {
        return shown || row.attempt() != null ? this : new Told(row, latest, true, at);
    }
}
