package dev.flotilla.testkit.tables;

import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;

/**
 * A fact with where it stands.
 *
 * @param appended when the broker took it, in milliseconds
 */
public record Seen(TablePartition place, long offset, long appended, RowChange fact) {}
