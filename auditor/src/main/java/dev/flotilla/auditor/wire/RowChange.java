package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * A row or tombstone under a key.
 *
 * @param json the stored JSON, null for a tombstone
 * @param row the decoded row
 */
public record RowChange(
        RowKey key, @Nullable JsonValue json, @Nullable TableRow row) {
    static RowChange read(JsonFieldReader fact) {
        String name = fact.text("topic");
        TopicName topicName = TopicName.parse(name);
        if (topicName == null) {
            throw new MalformedJsonException("names the unknown topic \"" + name + "\"");
        }
        RowKey rowKey = new RowKey(topicName, fact.text("key"));
        return of(rowKey, fact.object().get("value"));
    }

    /** The row change for a value, or for a tombstone. */
    public static RowChange of(RowKey rowKey, @Nullable JsonValue value) {
        return new RowChange(rowKey, value, value == null ? null : TableRowReader.readRow(rowKey, value));
    }
}
