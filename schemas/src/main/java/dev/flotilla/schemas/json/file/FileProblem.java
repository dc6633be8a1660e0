package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * A problem of a file.
 *
 * @param path the path of the wrong value, such as {@code spec.waves[0].percent}; empty for the whole file
 * @param line the line of the value, from 1; 0 if it is not known
 * @param value the wrong value, truncated; secrets are masked
 * @param problem the problem, as a sentence whose subject is the value
 * @param hint what to do instead; null if it is not known
 */
public record FileProblem(
        RejectionReason reason,
        String path,
        int line,
        String value,
        String problem,
        @Nullable String hint) {
    @Override
    public String toString() {
        return (line > 0 ? "line " + line + ": " : "")
                + (path.isEmpty() ? "the file" : path)
                + (value.isEmpty() ? "" : " \"" + value + "\"")
                + " " + problem
                + (hint == null ? "" : " (" + hint + ")");
    }
}
