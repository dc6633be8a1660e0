package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A setting of a configuration, from the codec's schema.
 *
 * @param path its path in the file, such as {@code server.listen}
 * @param type the JSON type of its value
 * @param required whether it must be given if its parent is given
 * @param parentPath the path of the optional parent; empty if there is none
 * @param defaultValue the default; null if there is none
 */
record ConfigSetting(
        String path,
        String type,
        boolean required,
        String parentPath,
        @Nullable JsonValue defaultValue,
        String description) {
    static final String PREFIX = "FLOTILLA_";

    /** Returns all settings in an object's schema, in the order of declaration. */
    static List<ConfigSetting> settingsOf(JsonObjectReader schema) {
        List<ConfigSetting> settings = new ArrayList<>();
        collect(schema, "", "", settings);
        return settings;
    }

    private static void collect(JsonObjectReader schema, String prefix, String within, List<ConfigSetting> into) {
        if (!(schema.get("properties") instanceof JsonObjectReader properties)) {
            return;
        }
        for (int i = 0; i < properties.size(); i++) {
            String path = prefix + properties.name(i);
            JsonObjectReader property = (JsonObjectReader) properties.value(i);
            if (property.get("properties") instanceof JsonObjectReader) {
                boolean always = isRequired(schema, properties.name(i)) || property.get("default") != null;
                collect(property, path + ".", always ? within : path, into);
            } else {
                into.add(new ConfigSetting(
                        path,
                        text(property, "type"),
                        isRequired(schema, properties.name(i)),
                        within,
                        property.get("default"),
                        text(property, "description")));
            }
        }
    }

    private static boolean isRequired(JsonObjectReader schema, String name) {
        return schema.get("required") instanceof JsonValue.JsonArray jsonArray
                && jsonArray.items().stream()
                        .anyMatch(item -> item instanceof JsonValue.JsonString jsonString
                                && jsonString.value().equals(name));
    }

    private static String text(JsonObjectReader schema, String name) {
        return schema.get(name) instanceof JsonValue.JsonString jsonString ? jsonString.value() : "";
    }

    /** Whether an environment variable can set it. */
    boolean isPlain() {
        return !type.equals("object") && !type.equals("array");
    }

    /** Returns its environment variable: {@code server.tokenFile} has {@code FLOTILLA_SERVER_TOKEN_FILE}. */
    String environmentVariable() {
        return PREFIX
                + path.replace('.', '_')
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toUpperCase(Locale.ROOT);
    }

    /** Parses a variable's text as a value of this setting's type. */
    JsonValue parseValue(String text) {
        if (type.equals("integer") && text.matches("-?[0-9]{1,18}")) {
            return new JsonValue.JsonInteger(Long.parseLong(text), JsonValue.NO_LINE);
        }
        if (type.equals("boolean") && (text.equals("true") || text.equals("false"))) {
            return new JsonValue.JsonBoolean(text.equals("true"), JsonValue.NO_LINE);
        }
        return new JsonValue.JsonString(text, JsonValue.NO_LINE);
    }
}
