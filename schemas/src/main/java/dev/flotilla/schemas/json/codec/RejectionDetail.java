package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.row.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * One reason why a record is not taken.
 *
 * @param path the place within the record, such as {@code spec.waves[0].name}; empty for the whole record
 * @param value what stands there, cut short, never a secret
 * @param problem what is wrong with it, as a sentence that begins with the value
 * @param hint what was probably meant, if that can be told
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
