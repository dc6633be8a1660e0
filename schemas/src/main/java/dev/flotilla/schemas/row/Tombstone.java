package dev.flotilla.schemas.row;

import dev.flotilla.schemas.id.RowKey;

/** A tombstone: the key has no row any more. */
public record Tombstone(RowKey rowKey) implements RowChange {}
