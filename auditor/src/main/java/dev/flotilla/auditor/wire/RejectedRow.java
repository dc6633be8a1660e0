package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import org.jspecify.annotations.Nullable;

/**
 * A record that was not taken.
 *
 * @param accepted what counted under its key before and still does
 */
public record RejectedRow(
        String topic,
        String key,
        boolean readable,
        @Nullable Fact accepted) implements Row {
    static RejectedRow read(Fields row) {
        return new RejectedRow(
                row.text("topic"),
                row.text("key"),
                row.flag("readable"),
                row.has("accepted") ? Fact.read(row.in("accepted")) : null);
    }
}
