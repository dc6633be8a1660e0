package dev.flotilla.runtime.config;

import org.jspecify.annotations.Nullable;

/**
 * A problem of a configuration.
 *
 * @param source the file or the environment variable
 * @param line the line in the file, from 1; 0 if it is not known
 * @param path the setting, such as {@code server.listen}; empty for the whole file
 * @param value the wrong value, truncated; secrets are masked
 * @param problem the problem, as a sentence whose subject is the value
 * @param hint what to do instead; null if it is not known
 */
public record ConfigProblem(
        String source,
        int line,
        String path,
        String value,
        String problem,
        @Nullable String hint) {
    @Override
    public String toString() {
        return source
                + (line > 0 ? ", line " + line : "")
                + ": "
                + (path.isEmpty() ? "the configuration" : path)
                + (value.isEmpty() ? "" : " \"" + value + "\"")
                + " " + problem
                + (hint == null ? "" : " (" + hint + ")");
    }
}
