package dev.flotilla.core.upgrade;

import dev.flotilla.schemas.row.HealthCheck;

/**
 * A health check that failed.
 *
 * @param text what was found instead
 */
public record FailedCheck(HealthCheck check, String text) {

    /** The check's name and what was found. */
    String message() {
        return "check " + check.name() + ": " + text;
    }
}
