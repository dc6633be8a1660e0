package dev.flotilla.auditor.wire;

import dev.flotilla.auditor.json.JsonFieldReader;
import dev.flotilla.auditor.json.JsonParser;
import dev.flotilla.auditor.json.JsonValue;
import dev.flotilla.auditor.json.MalformedJsonException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fleet's head row. {@code offsets} map {@code table/partition} to the next offset to read.
 *
 * @param topics the ids of the topics that the offsets refer to, by table
 * @param chapter offset in the journal of the newest chapter with a complete checkpoint; null for none
 */
public record FleetHead(
        long term,
        long seq,
        long decidedAt,
        String journalHash,
        boolean clockInSync,
        Map<String, Long> offsets,
        Map<String, String> topics,
        @Nullable Long chapter)
        implements TableRow {
    private static final String FLEET = "fleet";

    /** The head row in a record; null for any other record, or an unreadable one. */
    public static @Nullable FleetHead headAt(RawRecord record) {
        byte[] value = record.value();
        if (value == null || !FLEET.equals(record.key())) {
            return null;
        }
        try {
            return read(JsonFieldReader.of(JsonParser.parse(value)));
        } catch (MalformedJsonException e) {
            return null;
        }
    }

    static FleetHead read(JsonFieldReader row) {
        return new FleetHead(
                row.number("term"),
                row.number("seq"),
                row.instant("decidedAt"),
                row.text("journalHash"),
                row.bool("clockInSync"),
                offsets(row),
                topics(row),
                chapter(row.child("chapter")));
    }

    private static @Nullable Long chapter(JsonFieldReader chapter) {
        JsonFieldReader whole = chapter.has("checkpointRows") ? chapter : chapter.child("previous");
        return whole.has("offset") ? whole.number("offset") : null;
    }

    static Map<String, String> topics(JsonFieldReader row) {
        Map<String, String> topics = new HashMap<>();
        JsonFieldReader tables = row.child("topicIds");
        for (String table : tables.object().members().keySet()) {
            topics.put(table, tables.text(table));
        }
        return topics;
    }

    static Map<String, Long> offsets(JsonFieldReader row) {
        Map<String, Long> offsets = new HashMap<>();
        if (row.object().get("offsets") instanceof JsonValue.JsonArray) {
            // The form of earlier versions, whose rows stay until the next change.
            for (JsonValue item : row.items("offsets")) {
                JsonFieldReader offset = JsonFieldReader.of(item);
                offsets.put(offset.text("table") + "/" + offset.number("partition"), offset.number("next"));
            }
            return offsets;
        }
        JsonFieldReader tables = row.child("offsets");
        for (String table : tables.object().members().keySet()) {
            JsonFieldReader partitions = tables.child(table);
            for (String partition : partitions.object().members().keySet()) {
                offsets.put(table + "/" + partition, partitions.number(partition));
            }
        }
        return offsets;
    }
}
