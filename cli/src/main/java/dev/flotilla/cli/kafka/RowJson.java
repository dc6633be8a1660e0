package dev.flotilla.cli.kafka;

import dev.flotilla.schemas.json.RowCodec;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.ParseResult;
import dev.flotilla.schemas.row.TableRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows as JSON, as they are stored, and the differences of two rows. */
public final class RowJson {
    private static final int MOST_BYTES = 8 * 1024 * 1024;

    private RowJson() {}

    public static JsonValue toJson(@Nullable TableRow row) {
        if (row == null) {
            return new JsonValue.JsonNull(JsonValue.NO_LINE);
        }
        return switch (JsonReader.read(RowCodec.encode(row), MOST_BYTES)) {
            case ParseResult.ParsedDocument parsedDocument -> parsedDocument.value();
            case ParseResult.UnparsableDocument unparsableDocument ->
                throw new IllegalStateException("a row that was just encoded cannot be parsed: " + unparsableDocument);
        };
    }

    /** Lists a row's fields, one line each; empty for no row. */
    public static List<String> fields(@Nullable TableRow row) {
        Map<String, String> fields = new TreeMap<>();
        if (row != null) {
            collect("", toJson(row), fields);
        }
        List<String> lines = new ArrayList<>();
        fields.forEach((path, value) -> lines.add("  " + path + ": " + value));
        return lines;
    }

    /** Lists the fields in which rows differ, with old and new value. */
    public static List<String> differences(TableRow before, TableRow after) {
        Map<String, String> was = new TreeMap<>();
        Map<String, String> is = new TreeMap<>();
        collect("", toJson(before), was);
        collect("", toJson(after), is);
        List<String> fields = new ArrayList<>();
        Map<String, String> all = new TreeMap<>(was);
        all.putAll(is);
        for (String path : all.keySet()) {
            String old = was.getOrDefault(path, "none");
            String now = is.getOrDefault(path, "none");
            if (!old.equals(now)) {
                fields.add(path + ": " + old + " -> " + now);
            }
        }
        return fields;
    }

    private static void collect(String path, JsonValue jsonValue, Map<String, String> into) {
        switch (jsonValue) {
            case JsonObjectReader jsonObjectReader -> {
                for (int i = 0; i < jsonObjectReader.size(); i++) {
                    collect(
                            path.isEmpty() ? jsonObjectReader.name(i) : path + "." + jsonObjectReader.name(i),
                            jsonObjectReader.value(i),
                            into);
                }
            }
            case JsonValue.JsonArray jsonArray -> {
                for (int i = 0; i < jsonArray.items().size(); i++) {
                    collect(path + "[" + i + "]", jsonArray.items().get(i), into);
                }
            }
            case JsonValue.JsonString jsonString -> into.put(path, jsonString.value());
            case JsonValue.JsonInteger jsonInteger -> into.put(path, Long.toString(jsonInteger.value()));
            case JsonValue.JsonDecimal number -> into.put(path, number.text());
            case JsonValue.JsonBoolean jsonBoolean -> into.put(path, Boolean.toString(jsonBoolean.value()));
            case JsonValue.JsonNull jsonNull -> into.put(path, "null");
        }
    }
}
