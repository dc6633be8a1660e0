package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status of a machine: its open attempt, its last failure and its rollout entries.
 *
 * @param uid the uid of the Machine object; an object with the same name and another uid is another machine
 * @param attempt the open attempt; null if there is none
 */
public record MachineStatus(
        MachineKey key,
        String uid,
        @Nullable UpgradeAttempt attempt,
        @Nullable AttemptFailure lastFailure,
        List<RolloutEntry> entries)
        implements TableRow {
    public MachineStatus {
        entries = List.copyOf(entries);
    }

    /**
     * Returns the entry of the latest attempt, open or ended; null for none. The entry of an attempt is moved to the
     * end when the attempt is admitted.
     */
    public @Nullable RolloutEntry latestEntry() {
        for (RolloutEntry entry : entries.reversed()) {
            if (entry.target() != null) {
                return entry;
            }
        }
        return null;
    }

    /** Returns a copy with another state of its attempt. */
    public MachineStatus with(UpgradeAttempt now) {
        return new MachineStatus(key, uid, now, lastFailure, entries);
    }

    public MachineStatus withEntries(List<RolloutEntry> now) {
        return new MachineStatus(key, uid, attempt, lastFailure, now);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, key);
    }
}
