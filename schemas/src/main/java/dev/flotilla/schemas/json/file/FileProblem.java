package dev.flotilla.schemas.json.file;

import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a file.
 *
 * @param path the place within the document, such as {@code spec.waves[0].percent}; empty for the whole file
 * @param line the line it is on, from 1; 0 where that cannot be told
 * @param value what stands there, cut short, never a secret
 * @param problem what is wrong with it, as a sentence that begins with the value
 * @param hint what was probably meant, if that can be told
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
