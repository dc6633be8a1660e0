package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;

/** What a table says of one key: a whole row, or that there is none any more. The only thing that changes state. */
public sealed interface RowChange permits TableRow, Tombstone {
    RowKey rowKey();
}
