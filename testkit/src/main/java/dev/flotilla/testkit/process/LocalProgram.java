package dev.flotilla.testkit.process;

import java.io.PrintStream;
import java.util.Map;

/**
 * A program that tests need and that the build does not bring. Without it a test is skipped; if an environment variable
 * says that it is required, the test fails.
 */
public final class LocalProgram {
    private static final String SKIPPED = "SKIPPED: ";

    private LocalProgram() {}

    /**
     * Whether a test can run: whether its program was found. Prints why not, and throws if it is required.
     *
     * @param variable name of the variable that may be {@code required}
     * @param missing the reason with which JUnit skips the test: {@code SKIPPED: …}
     */
    public static boolean isPresent(
            boolean found, String variable, String missing, Map<String, String> environment, PrintStream err) {
        if (found) {
            return true;
        }
        if ("required".equals(environment.get(variable))) {
            throw new IllegalStateException(variable + "=required, but " + missing.substring(SKIPPED.length()));
        }
        err.println(missing);
        return false;
    }
}
