package dev.flotilla.schemas.json.codec;

import dev.flotilla.schemas.json.tree.Bounds;
import dev.flotilla.schemas.json.tree.JsonReader;
import dev.flotilla.schemas.json.tree.JsonWriter;
import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Parsed;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON Schema of a record: its members, each with its description and its default. */
final class Described {
    private Described() {}

    static Obj record(RecordCodec<?> codec) {
        return members(codec, new Obj.Builder(), new ArrayList<>());
    }

    /** One variant of a union: the record's members behind the one that names the variant. */
    static Obj variant(RecordCodec<?> codec, String discriminator, String label, String text) {
        Obj named =
                new Obj.Builder().put("const", label).put("description", text).build();
        List<String> required = new ArrayList<>(List.of(discriminator));
        return members(codec, new Obj.Builder().put(discriminator, named), required);
    }

    private static Obj members(RecordCodec<?> codec, Obj.Builder properties, List<String> required) {
        for (Field<?> field : codec.fields()) {
            properties.put(field.name(), property(field));
            if (field instanceof Field.Given<?, ?> given && given.fallback == null) {
                required.add(field.name());
            }
        }
        Obj.Builder schema = new Obj.Builder()
                .put("title", codec.title())
                .put("description", codec.description())
                .put("type", "object")
                .put("properties", properties.build());
        return required.isEmpty()
                ? schema.build()
                : schema.put("required", required).build();
    }

    private static Obj property(Field<?> field) {
        Obj.Builder schema = field.codec().schema().toBuilder().put("description", field.description());
        Tree fallback = field instanceof Field.Given<?, ?> given ? fallback(given) : null;
        return fallback == null
                ? schema.build()
                : schema.put("default", fallback).build();
    }

    private static <T> @Nullable Tree fallback(Field.Given<?, T> field) {
        if (field.fallback == null) {
            return null;
        }
        JsonWriter out = new JsonWriter();
        field.codec().write(out, field.fallback);
        return switch (JsonReader.read(out.toBytes(), Bounds.RECORD_BYTES)) {
            case Parsed.Whole whole -> whole.tree();
            case Parsed.Broken broken -> null;
        };
    }
}
