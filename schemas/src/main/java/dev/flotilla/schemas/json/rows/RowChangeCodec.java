package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON codec for a row change within a journal record: its topic, its key and its row; a tombstone has no row. Written by hand,
 * because the form of the row depends on the topic and key.
 */
record RowChangeCodec(RowFormats formats) implements JsonCodec<RowChange> {
    /** The formats of all rows: a row may itself contain a row change. */
    interface RowFormats {
        /** Null for the journal and for keys that have no rows. */
        @Nullable
        JsonCodec<? extends TableRow> ofKey(RowKey key);

        void write(JsonWriter out, TableRow row);
    }

    private static final byte[] TOPIC = JsonWriter.encodeName("topic");
    private static final byte[] KEY = JsonWriter.encodeName("key");
    private static final byte[] VALUE = JsonWriter.encodeName("value");

    @Override
    public @Nullable RowChange read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader jsonObjectReader)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        Topic topic = Topic.parse(text(jsonObjectReader, "topic"));
        if (topic == null || topic.table() == Table.JOURNAL) {
            addProblem(jsonObjectReader, "topic", RejectionReason.BAD_VALUE, "must be the topic of a table", problems);
            return null;
        }
        EntityKey key = RecordKeyFormat.parse(topic, text(jsonObjectReader, "key"));
        if (key == null) {
            addProblem(jsonObjectReader, "key", RejectionReason.BAD_KEY, "must be a key of " + topic, problems);
            return null;
        }
        RowKey at = new RowKey(topic.table(), key);
        JsonValue value = jsonObjectReader.get("value");
        return value == null ? new Tombstone(at) : row(jsonObjectReader, value, at, problems);
    }

    private @Nullable TableRow row(
            JsonObjectReader jsonObjectReader, JsonValue value, RowKey at, ProblemCollector problems) {
        JsonCodec<? extends TableRow> codec = formats.ofKey(at);
        if (codec == null) {
            addProblem(jsonObjectReader, "topic", RejectionReason.BAD_VALUE, "must be the topic of a table", problems);
            return null;
        }
        problems.enter("value");
        TableRow row = codec.read(value, problems);
        problems.leave();
        if (row != null && !row.rowKey().equals(at)) {
            addProblem(
                    jsonObjectReader, "key", RejectionReason.BAD_KEY, "is not the key of the row in value", problems);
            return null;
        }
        return row;
    }

    private static String text(JsonObjectReader jsonObjectReader, String name) {
        return jsonObjectReader.get(name) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    private static void addProblem(
            JsonObjectReader jsonObjectReader,
            String name,
            RejectionReason reason,
            String problem,
            ProblemCollector problems) {
        JsonValue at = jsonObjectReader.get(name);
        if (at == null) {
            problems.addMissingField(jsonObjectReader, name, null);
            return;
        }
        problems.enter(name);
        problems.add(reason, at, problem, null);
        problems.leave();
    }

    @Override
    public void write(JsonWriter out, RowChange rowChange) {
        RowKey at = rowChange.rowKey();
        String key = RecordKeyFormat.print(at);
        out.beginObject();
        out.name(TOPIC);
        out.text(new Topic(at.table(), RecordKeyFormat.siteOf(at)).name());
        out.name(KEY);
        out.text(key == null ? "" : key);
        switch (rowChange) {
            case Tombstone tombstone -> {}
            case TableRow row -> {
                out.name(VALUE);
                out.beginPart();
                formats.write(out, row);
                out.endPart();
            }
        }
        out.endObject();
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader properties = new JsonObjectReader.Builder()
                .put("topic", describedText("string", "The topic of the row."))
                .put("key", describedText("string", "The key of the row."))
                .put(
                        "value",
                        describedText(
                                "object", "The row, of the type that topic and key imply; absent for a tombstone."))
                .build();
        return new JsonObjectReader.Builder()
                .put("title", "row-change")
                .put("description", "The new row of one key, or a tombstone.")
                .put("type", "object")
                .put("properties", properties)
                .put("required", List.of("topic", "key"))
                .build();
    }

    private static JsonObjectReader describedText(String type, String text) {
        return new JsonObjectReader.Builder()
                .put("type", type)
                .put("description", text)
                .build();
    }
}
