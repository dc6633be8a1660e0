/**
 * The thread that owns the state: it restores, stands by and leads, and handles every failure.
 */
@NullMarked
package dev.flotilla.orchestrator.loop;

import org.jspecify.annotations.NullMarked;
