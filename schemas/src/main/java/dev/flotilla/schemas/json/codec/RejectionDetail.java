package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a record is rejected.
 *
 * @param path the path of the wrong value, such as {@code spec.waves[0].name}; empty for the whole record
 * @param value the wrong value, truncated; secrets are masked
 * @param problem the problem, as a sentence whose subject is the value
 * @param hint what to do instead; null if it is not known
 */
public record RejectionDetail(
        RejectionReason reason,
        String path,
        String value,
        String problem,
        @Nullable String hint) {
    @Override
    public String toString() {
        return (path.isEmpty() ? "" : path + ": ")
                + (value.isEmpty() ? "" : "\"" + value + "\" ")
                + problem
                + (hint == null ? "" : " (" + hint + ")");
    }
}
