package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.HealthCheck;

/**
 * A check that does not hold.
 *
 * @param text what was found instead
 */
public record FailedCheck(HealthCheck check, String text) {

    /** For people. */
    String message() {
        return "check " + check.name() + ": " + text;
    }
}
