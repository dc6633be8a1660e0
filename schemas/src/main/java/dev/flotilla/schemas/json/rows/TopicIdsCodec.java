package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.TopicId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** JSON codec for topic ids by table, {@code {"inventory": "eXg2-5cTQ0uQy2r0hYqLmA"}}. */
record TopicIdsCodec() implements JsonCodec<List<TopicId>> {
    @Override
    public @Nullable List<TopicId> read(JsonValue jsonValue, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader tables)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        List<TopicId> topics = new ArrayList<>();
        boolean good = true;
        for (int i = 0; i < tables.size(); i++) {
            problems.enter(tables.name(i));
            Table table = PartitionOffsetsCodec.table(tables.name(i));
            if (table == null) {
                problems.addBadValue(tables.value(i), "has a name that is not a table", null);
            }
            String id = ScalarCodecs.TOKEN.read(tables.value(i), problems);
            if (table != null && id != null) {
                topics.add(new TopicId(table, id));
            } else {
                good = false;
            }
            problems.leave();
        }
        return good ? topics : null;
    }

    @Override
    public void write(JsonWriter out, List<TopicId> topics) {
        out.beginObject();
        for (TopicId topic : topics) {
            out.name(topic.table().label());
            ScalarCodecs.TOKEN.write(out, topic.id());
        }
        out.endObject();
    }

    @Override
    public JsonObjectReader schema() {
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("additionalProperties", ScalarCodecs.TOKEN.schema())
                .build();
    }
}
