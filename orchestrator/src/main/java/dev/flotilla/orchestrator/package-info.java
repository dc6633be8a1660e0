/** The leader process: election, transactions, restore, and the read API. */
@NullMarked
package dev.flotilla.orchestrator;

import org.jspecify.annotations.NullMarked;
