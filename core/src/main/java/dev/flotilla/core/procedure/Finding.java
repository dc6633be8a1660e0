package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.Check;

/**
 * A check that does not hold.
 *
 * @param text what was found instead
 */
public record Finding(Check check, String text) {

    /** For people. */
    String says() {
        return "check " + check.name() + ": " + text;
    }
}
