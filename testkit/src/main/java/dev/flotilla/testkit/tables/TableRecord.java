package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A fact with where it stands.
 *
 * @param appendedAt when the broker took it, in milliseconds
 */
public record TableRecord(TablePartition place, long offset, long appendedAt, RowChange fact) {}
