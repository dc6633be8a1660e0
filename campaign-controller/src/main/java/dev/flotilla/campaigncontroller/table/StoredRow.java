package dev.flotilla.campaigncontroller.table;

import dev.flotilla.schemas.row.RowChange;
import org.jspecify.annotations.Nullable;

/**
 * The newest record of a key.
 *
 * @param row null if it cannot be read
 */
public record StoredRow(long offset, @Nullable RowChange row) {}
