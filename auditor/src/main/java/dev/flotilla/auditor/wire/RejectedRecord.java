package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/**
 * A record that was not taken.
 *
 * @param acceptedRow what counted under its key before and still does
 */
public record RejectedRecord(
        String topic,
        String key,
        boolean readable,
        @Nullable RowChange acceptedRow) implements TableRow {
    static RejectedRecord read(JsonFieldReader row) {
        return new RejectedRecord(
                row.text("topic"),
                row.text("key"),
                row.bool("readable"),
                row.has("lastAccepted") ? RowChange.read(row.child("lastAccepted")) : null);
    }
}
