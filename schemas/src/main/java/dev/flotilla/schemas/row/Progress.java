package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;

/** A worker's newest word about a machine. */
public record Progress(MachineKey key, String uid, long attempt, Report report, Instant time) implements Row {
    @Override
    public RowKey at() {
        return new RowKey(Table.PROGRESS, key);
    }
}
