package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A row change with its position.
 *
 * @param appendedAt when the broker appended it, in milliseconds
 */
public record TableRecord(TablePartition tablePartition, long offset, long appendedAt, RowChange rowChange) {}
