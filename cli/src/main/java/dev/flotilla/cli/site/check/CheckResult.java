package dev.flotilla.cli.site.check;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.Locale;

/**
 * Result of a check.
 *
 * @param check name of the check
 * @param message what was found, and what to do if it is not as it should be
 */
record CheckResult(CheckStatus status, String check, String message) {
    /** Status of a check. */
    enum CheckStatus {
        OK("ok"),
        DIFFERS("differs"),
        UNKNOWN("unknown"),
        FAILED("FAILED");

        private final String label;

        CheckStatus(String label) {
            this.label = label;
        }
    }

    private static final int WIDTH = CheckStatus.DIFFERS.label.length();

    static CheckResult ok(String check, String message) {
        return new CheckResult(CheckStatus.OK, check, message);
    }

    static CheckResult failed(String check, String message) {
        return new CheckResult(CheckStatus.FAILED, check, message);
    }

    static CheckResult differs(String check, String message) {
        return new CheckResult(CheckStatus.DIFFERS, check, message);
    }

    static CheckResult unknown(String check, String message) {
        return new CheckResult(CheckStatus.UNKNOWN, check, message);
    }

    String line() {
        return status.label + " ".repeat(WIDTH - status.label.length()) + "  " + check + ": " + message;
    }

    JsonValue json() {
        return new JsonObjectReader.Builder()
                .put("check", check)
                .put("status", status.label.toLowerCase(Locale.ROOT))
                .put("message", message)
                .build();
    }
}
