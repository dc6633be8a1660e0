/**
 * What the command writes to: two streams, what is known of the terminal behind them, tables, bars, and JSON. Knows
 * nothing of what is told. May use the trees of {@code schemas} and nothing else of ours.
 */
@NullMarked
package dev.flotilla.cli.terminal;

import org.jspecify.annotations.NullMarked;
