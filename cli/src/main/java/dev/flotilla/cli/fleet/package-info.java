/** The verb about the whole fleet: how far the orchestrator has decided, and how its machines stand. */
@NullMarked
package dev.flotilla.cli.fleet;

import org.jspecify.annotations.NullMarked;
