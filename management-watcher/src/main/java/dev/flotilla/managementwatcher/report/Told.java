package dev.flotilla.managementwatcher.report;

import dev.flotilla.schemas.row.Attempt;
import dev.flotilla.schemas.row.MachineStatus;
import org.jspecify.annotations.Nullable;

/**
 * What was told of a machine: its row, and its latest attempt, which the row forgets when it is over.
 *
 * @param latest null where none was told of while this was listening
 * @param shown whether the object has shown how it ended: what becomes of it later is not undone
 */
public record Told(MachineStatus row, @Nullable Attempt latest, boolean shown) {
    Told(MachineStatus row, @Nullable Attempt latest) {
        this(row, latest, false);
    }

    /** The same after another row. */
    public static Told of(@Nullable Told before, MachineStatus row) {
        if (row.attempt() != null || before == null || !before.row().uid().equals(row.uid())) {
            return new Told(row, row.attempt());
        }
        return new Told(
                row, before.latest(), before.shown() && before.row().entries().equals(row.entries()));
    }

    /** The same once its object shows it. */
    Told asShown() {
        return shown || row.attempt() != null ? this : new Told(row, latest, true);
    }
}
