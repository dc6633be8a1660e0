/**
 * Compact storage: columns by row number, hash tables, heaps. Knows nothing of machines or rollouts. Read
 * {@code IntColumn} first.
 */
@NullMarked
package dev.flotilla.core.fleet.column;

import org.jspecify.annotations.NullMarked;
