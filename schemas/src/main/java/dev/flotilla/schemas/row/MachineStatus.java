package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was decided about a machine and what came of it.
 *
 * @param uid the machine these decisions are about: the same name with another uid is another machine
 * @param attempt the open attempt, if any
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

    /** The same with its attempt as it is now. */
    public MachineStatus with(UpgradeAttempt now) {
        return new MachineStatus(key, uid, now, lastFailure, entries);
    }

    @Override
    public RowKey rowKey() {
        return new RowKey(Table.STATUS, key);
    }
}
