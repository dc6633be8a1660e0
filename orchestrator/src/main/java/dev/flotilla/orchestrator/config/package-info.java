/** The orchestrator's configuration. */
@NullMarked
package dev.flotilla.orchestrator.config;

import org.jspecify.annotations.NullMarked;
