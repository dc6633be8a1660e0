package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import org.jspecify.annotations.Nullable;

/**
 * A rejected record.
 *
 * @param acceptedRow the row that was accepted before under its key and stays in force
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
