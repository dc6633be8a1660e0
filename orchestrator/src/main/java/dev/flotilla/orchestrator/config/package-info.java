/** What the orchestrator is told at its start. */
@NullMarked
package dev.flotilla.orchestrator.config;

import org.jspecify.annotations.NullMarked;
