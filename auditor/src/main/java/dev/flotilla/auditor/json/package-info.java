/** The auditor's own JSON parser, so that it shares no bug with the orchestrator's. */
@NullMarked
package dev.flotilla.auditor.json;

import org.jspecify.annotations.NullMarked;
