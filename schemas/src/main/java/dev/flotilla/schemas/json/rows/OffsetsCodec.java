package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.json.codec.Choice;
import dev.flotilla.schemas.json.codec.Codec;
import dev.flotilla.schemas.json.codec.Lists;
import dev.flotilla.schemas.json.codec.Problems;
import dev.flotilla.schemas.json.codec.RecordCodec;
import dev.flotilla.schemas.json.codec.Scalars;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.topic.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Offsets as {@code {"progress": {"0": 17, "1": 4}}}: by table, then by partition. They stand in every commit, and a list
 * of objects that spell out what they are would be most of a head row.
 */
record OffsetsCodec() implements Codec<List<Offset>> {
    private static final int MAX_PARTITIONS = 64;

    /** As earlier versions wrote them: a leader of this one takes over from what they left. */
    private static final Codec<List<Offset>> EARLIER = new Lists<>(offset(), MAX_PARTITIONS);

    private static Codec<Offset> offset() {
        var row = RecordCodec.<Offset>of("offset", "An offset.");
        var table = row.required("table", Choice.of(Table.class, Table::label), "The table.", Offset::table);
        var partition = row.required("partition", Scalars.COUNT, "The partition.", Offset::partition);
        var next = row.required("next", Scalars.SEQ, "The next offset.", Offset::next);
        return row.build(v -> new Offset(v.get(table), v.get(partition), v.get(next)));
    }

    @Override
    public @Nullable List<Offset> read(Tree tree, Problems problems) {
        if (tree instanceof Tree.Arr list) {
            return EARLIER.read(list, problems);
        }
        if (!(tree instanceof Obj tables)) {
            problems.wrongType(tree, "an object");
            return null;
        }
        List<Offset> offsets = new ArrayList<>();
        boolean good = true;
        for (int i = 0; i < tables.size(); i++) {
            problems.enter(tables.name(i));
            Table table = table(tables.name(i));
            if (table == null) {
                problems.badValue(tables.value(i), "stands under no table", null);
                good = false;
            } else {
                good &= readTable(table, tables.value(i), offsets, problems);
            }
            problems.leave();
        }
        return good ? offsets : null;
    }

    private static boolean readTable(Table table, Tree tree, List<Offset> offsets, Problems problems) {
        if (!(tree instanceof Obj partitions)) {
            problems.wrongType(tree, "an object");
            return false;
        }
        boolean good = true;
        for (int i = 0; i < partitions.size(); i++) {
            String name = partitions.name(i);
            int partition = Numbered.parse(name, MAX_PARTITIONS);
            if (partition < 0) {
                problems.badValue(partitions.value(i), "stands under no partition: " + name, null);
                good = false;
            } else if (partitions.value(i) instanceof Tree.Whole next && next.value() >= 0) {
                offsets.add(new Offset(table, partition, next.value()));
            } else {
                problems.wrongType(partitions.value(i), "an offset");
                good = false;
            }
        }
        return good;
    }

    static @Nullable Table table(String label) {
        for (Table table : Table.values()) {
            if (table.label().equals(label)) {
                return table;
            }
        }
        return null;
    }

    @Override
    public void write(JsonWriter out, List<Offset> offsets) {
        Map<Table, List<Offset>> tables = new LinkedHashMap<>();
        for (Offset offset : offsets) {
            tables.computeIfAbsent(offset.table(), absent -> new ArrayList<>()).add(offset);
        }
        out.beginObject();
        tables.forEach((table, of) -> {
            out.name(table.label());
            out.beginObject();
            for (Offset offset : of) {
                out.name(Integer.toString(offset.partition()));
                out.whole(offset.next());
            }
            out.endObject();
        });
        out.endObject();
    }

    @Override
    public Obj schema() {
        Obj next = new Obj.Builder().put("type", "integer").put("minimum", 0).build();
        Obj table = new Obj.Builder()
                .put("type", "object")
                .put("description", "The next offset to read, by partition.")
                .put("additionalProperties", next)
                .build();
        return new Obj.Builder()
                .put("type", "object")
                .put("additionalProperties", table)
                .build();
    }
}
