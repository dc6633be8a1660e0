package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;

/** A change of one key of a table: a whole row, or a tombstone. All state changes are row changes. */
public sealed interface RowChange permits TableRow, Tombstone {
    RowKey rowKey();
}
