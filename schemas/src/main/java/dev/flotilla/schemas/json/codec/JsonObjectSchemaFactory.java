package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.DocumentLimits;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.ParseResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the JSON Schema of an object: its fields, each with its description and its default. */
final class JsonObjectSchemaFactory {
    private JsonObjectSchemaFactory() {}

    static JsonObjectReader record(JsonObjectCodec<?> codec) {
        return members(codec, new JsonObjectReader.Builder(), new ArrayList<>());
    }

    /** Returns the schema of one variant of a union: the discriminator and the variant's fields. */
    static JsonObjectReader variant(JsonObjectCodec<?> codec, String discriminator, String label, String text) {
        JsonObjectReader named = new JsonObjectReader.Builder()
                .put("const", label)
                .put("description", text)
                .build();
        List<String> required = new ArrayList<>(List.of(discriminator));
        return members(codec, new JsonObjectReader.Builder().put(discriminator, named), required);
    }

    private static JsonObjectReader members(
            JsonObjectCodec<?> codec, JsonObjectReader.Builder properties, List<String> required) {
        for (JsonObjectField<?> field : codec.fields()) {
            properties.put(field.name(), property(field));
            if (field instanceof JsonObjectField.NonNullField<?, ?> given && given.fallback == null) {
                required.add(field.name());
            }
        }
        JsonObjectReader.Builder schema = new JsonObjectReader.Builder()
                .put("title", codec.title())
                .put("description", codec.description())
                .put("type", "object")
                .put("properties", properties.build());
        return required.isEmpty()
                ? schema.build()
                : schema.put("required", required).build();
    }

    private static JsonObjectReader property(JsonObjectField<?> field) {
        JsonObjectReader.Builder schema = field.codec().schema().toBuilder().put("description", field.description());
        JsonValue fallback = field instanceof JsonObjectField.NonNullField<?, ?> given ? fallback(given) : null;
        return fallback == null
                ? schema.build()
                : schema.put("default", fallback).build();
    }

    private static <T> @Nullable JsonValue fallback(JsonObjectField.NonNullField<?, T> field) {
        if (field.fallback == null) {
            return null;
        }
        JsonWriter out = new JsonWriter();
        field.codec().write(out, field.fallback);
        return switch (JsonReader.read(out.toBytes(), DocumentLimits.RECORD_BYTES)) {
            case ParseResult.ParsedDocument parsedDocument -> parsedDocument.value();
            case ParseResult.UnparsableDocument unparsableDocument -> null;
        };
    }
}
