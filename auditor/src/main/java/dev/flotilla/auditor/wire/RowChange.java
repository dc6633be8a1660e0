package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import org.jspecify.annotations.Nullable;

/**
 * What a table says of a key from a decision on.
 *
 * @param json the row as it stands there, null for a tombstone
 * @param row the same, understood
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

    /** The fact that a value, or a tombstone, at a place is. */
    public static RowChange of(RowKey rowKey, @Nullable JsonValue value) {
        return new RowChange(rowKey, value, value == null ? null : TableRowReader.readRow(rowKey, value));
    }
}
