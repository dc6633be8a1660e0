package dev.flotilla.nodeworker.checks;

import dev.cel.common.values.NullValue;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts objects to values of CEL, up to a total size; the client bounds each text. It leaves out who manages which field. */
final class CelValues {
    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int COST_OF_VALUE = 16;
    private static final String MANAGED_FIELDS = "managedFields";

    private int characters;

    /** Returns the value; null if an object, or all objects together, are too large. */
    @Nullable
    Object convert(JsonValue json) {
        Object value = valueOf(json);
        return problem() == null ? value : null;
    }

    /** Why nothing more is converted; null if everything was. */
    @Nullable
    String problem() {
        return characters > MAX_CHARACTERS
                ? "the objects have more than " + MAX_CHARACTERS
                        + " characters together: select fewer by name, namespace or matchLabels"
                : null;
    }

    private Object valueOf(JsonValue json) {
        characters += COST_OF_VALUE;
        if (characters > MAX_CHARACTERS) {
            return "";
        }
        return switch (json) {
            case JsonValue.JsonString text -> textOf(text.value());
            case JsonValue.JsonInteger number -> number.value();
            case JsonValue.JsonDecimal number -> Double.valueOf(number.text());
            case JsonValue.JsonBoolean flag -> flag.value();
            case JsonValue.JsonNull none -> NullValue.NULL_VALUE;
            case JsonValue.JsonArray array -> {
                List<Object> items = new ArrayList<>(array.items().size());
                for (JsonValue item : array.items()) {
                    items.add(valueOf(item));
                }
                yield items;
            }
            case JsonObjectReader object -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (int i = 0; i < object.size(); i++) {
                    String name = object.name(i);
                    if (!name.equals(MANAGED_FIELDS)) {
                        characters += name.length();
                        fields.put(name, valueOf(object.value(i)));
                    }
                }
                yield fields;
            }
        };
    }

    private String textOf(String text) {
        characters += text.length();
        return text;
    }
}
