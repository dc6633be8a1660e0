package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;

/** The deletion of the row of a key. */
public record Tombstone(RowKey rowKey) implements RowChange {}
