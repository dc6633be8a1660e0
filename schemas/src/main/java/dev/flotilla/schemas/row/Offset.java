package dev.flotilla.schemas.row;

import dev.flotilla.schemas.topic.Table;

/** The next offset to read of an input topic's partition. */
public record Offset(Table table, int partition, long next) {}
