package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Topic ids as {@code {"inventory": "eXg2-5cTQ0uQy2r0hYqLmA"}}, by table: they stand in every commit. */
record TopicIdsCodec() implements Codec<List<TopicId>> {
    @Override
    public @Nullable List<TopicId> read(Tree tree, Problems problems) {
        if (!(tree instanceof Obj tables)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        List<TopicId> topics = new ArrayList<>();
        boolean good = true;
        for (int i = 0; i < tables.size(); i++) {
            problems.enter(tables.name(i));
            Table table = OffsetsCodec.table(tables.name(i));
            if (table == null) {
                problems.badValue(tables.value(i), "stands under no table", null);
            }
            String id = Scalars.TOKEN.read(tables.value(i), problems);
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
            Scalars.TOKEN.write(out, topic.id());
        }
        out.endObject();
    }

    @Override
    public Obj schema() {
        return new Obj.Builder()
                .put("type", "object")
                .put("additionalProperties", Scalars.TOKEN.schema())
                .build();
    }
}
