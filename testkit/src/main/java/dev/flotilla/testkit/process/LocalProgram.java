package dev.flotilla.testkit.process;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A program that tests need and that the build does not bring. Without it a test is skipped; if an environment variable
 * says that it is required, the test fails.
 */
public final class LocalProgram {
    private static final String SKIPPED = "SKIPPED: ";

    private LocalProgram() {}

    /**
     * Finds a program that a script of the testkit has built into the user's cache.
     *
     * @param path its path below {@code flotilla} in the cache
     */
    public static Optional<Path> findInCache(Map<String, String> environment, String... path) {
        String set = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path cache = set.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(set);
        Path program = cache.resolve(Path.of("flotilla", path));
        return Files.isExecutable(program) ? Optional.of(program) : Optional.empty();
    }

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
