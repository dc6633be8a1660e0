package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.Row;
import dev.flotilla.schemas.topic.Keys;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fact within a journal record: the topic and key at which it stands, and the row as it stands there. By hand, since
 * the form of the value depends on its place; a tombstone has no value.
 */
record FactCodec() implements Codec<Fact> {
    private static final byte[] TOPIC = JsonWriter.spelled("topic");
    private static final byte[] KEY = JsonWriter.spelled("key");
    private static final byte[] VALUE = JsonWriter.spelled("value");

    @Override
    public @Nullable Fact read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj obj)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        Topic topic = Topic.parse(text(obj, "topic"));
        if (topic == null || topic.table() == Table.JOURNAL) {
            refuse(obj, "topic", RejectionReason.BAD_VALUE, "must be the topic of a table", problems);
            return null;
        }
        Key key = Keys.parse(topic, text(obj, "key"));
        if (key == null) {
            refuse(obj, "key", RejectionReason.BAD_KEY, "must be a key of " + topic, problems);
            return null;
        }
        RowKey at = new RowKey(topic.table(), key);
        Tree value = obj.get("value");
        return value == null ? new Gone(at) : row(obj, value, at, problems);
    }

    private static @Nullable Row row(Obj obj, Tree value, RowKey at, Problems problems) {
        RowType type = RowType.at(at);
        if (type == null) {
            refuse(obj, "topic", RejectionReason.BAD_VALUE, "must be the topic of a table", problems);
            return null;
        }
        problems.enter("value");
        Row row = type.read(value, problems);
        problems.leave();
        if (row != null && !row.at().equals(at)) {
            refuse(obj, "key", RejectionReason.BAD_KEY, "is not the key of the row in value", problems);
            return null;
        }
        return row;
    }

    private static String text(Obj obj, String name) {
        return obj.get(name) instanceof Tree.Text text ? text.value() : "";
    }

    private static void refuse(Obj obj, String name, RejectionReason reason, String problem, Problems problems) {
        Tree at = obj.get(name);
        if (at == null) {
            problems.missing(obj, name, null);
            return;
        }
        problems.enter(name);
        problems.add(reason, at, problem, null);
        problems.leave();
    }

    @Override
    public void write(JsonWriter out, Fact fact) {
        RowKey at = fact.at();
        String key = Keys.print(at);
        out.beginObject();
        out.name(TOPIC);
        out.text(new Topic(at.table(), Keys.siteOf(at)).name());
        out.name(KEY);
        out.text(key == null ? "" : key);
        switch (fact) {
            case Gone gone -> {}
            case Row row -> {
                out.name(VALUE);
                out.beginPart();
                RowType.of(row).write(out, row);
                out.endPart();
            }
        }
        out.endObject();
    }

    @Override
    public Obj schema() {
        Obj properties = new Obj.Builder()
                .put("topic", described("string", "The topic at which the fact stands."))
                .put("key", described("string", "Its key there."))
                .put("value", described("object", "The row, in the form that its key tells; absent for a tombstone."))
                .build();
        return new Obj.Builder()
                .put("title", "fact")
                .put("description", "What a table says of one key from here on.")
                .put("type", "object")
                .put("properties", properties)
                .put("required", List.of("topic", "key"))
                .build();
    }

    private static Obj described(String type, String text) {
        return new Obj.Builder().put("type", type).put("description", text).build();
    }
}
