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
 * @param preparation its newest preparation; null for none. It ends with the upgrade
 */
public record MachineStatus(
        MachineKey key,
        String uid,
        @Nullable UpgradeAttempt attempt,
        @Nullable AttemptFailure lastFailure,
        List<RolloutEntry> entries,
        @Nullable MachinePreparation preparation)
        implements TableRow {
    public MachineStatus {
        entries = List.copyOf(entries);
    }

    /** The status of a machine without a preparation. */
    public MachineStatus(
            MachineKey key,
            String uid,
            @Nullable UpgradeAttempt attempt,
            @Nullable AttemptFailure lastFailure,
            List<RolloutEntry> entries) {
        this(key, uid, attempt, lastFailure, entries, null);
    }

    /** Whether a command to prepare the machine is out. */
    public boolean isPreparing() {
        return preparation != null && preparation.isRunning();
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
        return new MachineStatus(key, uid, now, lastFailure, entries, preparation);
    }

    public MachineStatus withEntries(List<RolloutEntry> now) {
        return new MachineStatus(key, uid, attempt, lastFailure, now, preparation);
    }

    /** Returns a copy with another preparation, or none. */
    public MachineStatus withPreparation(@Nullable MachinePreparation now) {
        return new MachineStatus(key, uid, attempt, lastFailure, entries, now);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, key);
    }
}
