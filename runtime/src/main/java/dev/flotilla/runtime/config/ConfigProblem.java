package dev.flotilla.runtime.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a configuration.
 *
 * @param source the file or the environment variable
 * @param line in the file, from 1; 0 where that cannot be told
 * @param path the setting, such as {@code server.listen}; empty for the whole file
 * @param value what stands there, cut short, never a secret
 * @param problem what is wrong with it, as a sentence that begins with the value
 * @param hint what was probably meant, or what to do
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
