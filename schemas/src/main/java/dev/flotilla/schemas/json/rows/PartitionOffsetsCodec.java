package dev.flotilla.schemas.json.rows;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.codec.EnumCodec;
import dev.flotilla.schemas.json.codec.JsonCodec;
import dev.flotilla.schemas.json.codec.JsonObjectCodec;
import dev.flotilla.schemas.json.codec.ListCodec;
import dev.flotilla.schemas.json.codec.ProblemCollector;
import dev.flotilla.schemas.json.codec.ScalarCodecs;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.row.PartitionOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON codec for offsets, {@code {"progress": {"0": 17, "1": 4}}}: by table, then by partition. This form is short because every
 * commit writes the offsets; a list of objects would be most of a head row.
 */
record PartitionOffsetsCodec() implements JsonCodec<List<PartitionOffset>> {
    private static final int MAX_PARTITIONS = 64;

    /** The form of earlier versions, which this version still reads when it takes over from them. */
    private static final JsonCodec<List<PartitionOffset>> EARLIER_FORM = new ListCodec<>(offset(), MAX_PARTITIONS);

    private static JsonCodec<PartitionOffset> offset() {
        var row = JsonObjectCodec.<PartitionOffset>of("offset", "An offset.");
        var table =
                row.required("table", EnumCodec.of(Table.class, Table::label), "The table.", PartitionOffset::table);
        var partition = row.required("partition", ScalarCodecs.COUNT, "The partition.", PartitionOffset::partition);
        var next = row.required("next", ScalarCodecs.SEQ, "The next offset.", PartitionOffset::nextOffset);
        return row.build(v -> new PartitionOffset(v.get(table), v.get(partition), v.get(next)));
    }

    @Override
    public @Nullable List<PartitionOffset> read(JsonValue jsonValue, ProblemCollector problems) {
        if (jsonValue instanceof JsonValue.JsonArray list) {
            return EARLIER_FORM.read(list, problems);
        }
        if (!(jsonValue instanceof JsonObjectReader tables)) {
            problems.addWrongType(jsonValue, "an object");
            return null;
        }
        List<PartitionOffset> offsets = new ArrayList<>();
        boolean good = true;
        for (int i = 0; i < tables.size(); i++) {
            problems.enter(tables.name(i));
            Table table = table(tables.name(i));
            if (table == null) {
                problems.addBadValue(tables.value(i), "has a name that is not a table", null);
                good = false;
            } else {
                good &= readTable(table, tables.value(i), offsets, problems);
            }
            problems.leave();
        }
        return good ? offsets : null;
    }

    private static boolean readTable(
            Table table, JsonValue jsonValue, List<PartitionOffset> offsets, ProblemCollector problems) {
        if (!(jsonValue instanceof JsonObjectReader partitions)) {
            problems.addWrongType(jsonValue, "an object");
            return false;
        }
        boolean good = true;
        for (int i = 0; i < partitions.size(); i++) {
            String name = partitions.name(i);
            int partition = NumericFieldNameParser.parse(name, MAX_PARTITIONS);
            if (partition < 0) {
                problems.addBadValue(
                        partitions.value(i), "has the name " + name + ", which is not a partition number", null);
                good = false;
            } else if (partitions.value(i) instanceof JsonValue.JsonInteger next && next.value() >= 0) {
                offsets.add(new PartitionOffset(table, partition, next.value()));
            } else {
                problems.addWrongType(partitions.value(i), "an offset");
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
    public void write(JsonWriter out, List<PartitionOffset> offsets) {
        Map<Table, List<PartitionOffset>> tables = new LinkedHashMap<>();
        for (PartitionOffset offset : offsets) {
            tables.computeIfAbsent(offset.table(), absent -> new ArrayList<>()).add(offset);
        }
        out.beginObject();
        tables.forEach((table, of) -> {
            out.name(table.label());
            out.beginObject();
            for (PartitionOffset offset : of) {
                out.name(Integer.toString(offset.partition()));
                out.integer(offset.nextOffset());
            }
            out.endObject();
        });
        out.endObject();
    }

    @Override
    public JsonObjectReader schema() {
        JsonObjectReader next = new JsonObjectReader.Builder()
                .put("type", "integer")
                .put("minimum", 0)
                .build();
        JsonObjectReader table = new JsonObjectReader.Builder()
                .put("type", "object")
                .put("description", "The next offset to read, by partition number.")
                .put("additionalProperties", next)
                .build();
        return new JsonObjectReader.Builder()
                .put("type", "object")
                .put("additionalProperties", table)
                .build();
    }
}
