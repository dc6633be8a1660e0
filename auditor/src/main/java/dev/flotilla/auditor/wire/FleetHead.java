package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.Fields;
import dev.flotilla.auditor.json.Json;
import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.MalformedJson;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far is decided. {@code offsets} go from {@code table/partition} to the next one to read.
 *
 * @param topics which topics those are of, by table
 * @param chapter where in the journal's topic the newest chapter begins that has a whole checkpoint; null for none
 */
public record FleetHead(
        long term,
        long seq,
        long decided,
        String chain,
        boolean clockAgrees,
        Map<String, Long> offsets,
        Map<String, String> topics,
        @Nullable Long chapter)
        implements Row {
    private static final String FLEET = "fleet";

    /** The fleet's head that a record is; null for any other, or one that cannot be read. */
    public static @Nullable FleetHead at(RawRecord record) {
        byte[] value = record.value();
        if (value == null || !FLEET.equals(record.key())) {
            return null;
        }
        try {
            return read(Fields.of(JsonParser.parse(value)));
        } catch (MalformedJson e) {
            return null;
        }
    }

    static FleetHead read(Fields row) {
        return new FleetHead(
                row.number("term"),
                row.number("seq"),
                row.instant("decided"),
                row.text("chain"),
                row.flag("clockAgrees"),
                offsets(row),
                topics(row),
                chapter(row.in("chapter")));
    }

    private static @Nullable Long chapter(Fields chapter) {
        Fields whole = chapter.has("rows") ? chapter : chapter.in("before");
        return whole.has("offset") ? whole.number("offset") : null;
    }

    static Map<String, String> topics(Fields row) {
        Map<String, String> topics = new HashMap<>();
        Fields tables = row.in("topics");
        for (String table : tables.object().members().keySet()) {
            topics.put(table, tables.text(table));
        }
        return topics;
    }

    static Map<String, Long> offsets(Fields row) {
        Map<String, Long> offsets = new HashMap<>();
        if (row.object().get("offsets") instanceof Json.Arr) {
            // As earlier versions wrote them, whose rows stand until something moves.
            for (Json item : row.items("offsets")) {
                Fields offset = Fields.of(item);
                offsets.put(offset.text("table") + "/" + offset.number("partition"), offset.number("next"));
            }
            return offsets;
        }
        Fields tables = row.in("offsets");
        for (String table : tables.object().members().keySet()) {
            Fields partitions = tables.in(table);
            for (String partition : partitions.object().members().keySet()) {
                offsets.put(table + "/" + partition, partitions.number(partition));
            }
        }
        return offsets;
    }
}
