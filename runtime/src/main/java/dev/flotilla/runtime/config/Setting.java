package dev.flotilla.runtime.config;

import dev.flotilla.schemas.json.tree.Obj;
import dev.flotilla.schemas.json.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set, as the codec's schema describes it.
 *
 * @param path its place in the file, such as {@code server.listen}
 * @param type the JSON type of its value
 * @param required whether it must be given wherever its parent is
 * @param within the parent that itself may be left out; empty for none
 * @param fallback what holds when it is left out; null for nothing
 */
record Setting(
        String path,
        String type,
        boolean required,
        String within,
        @Nullable Tree fallback,
        String description) {
    static final String PREFIX = "FLOTILLA_";

    /** All settings below an object's schema, in the order of their declaration. */
    static List<Setting> of(Obj schema) {
        List<Setting> settings = new ArrayList<>();
        collect(schema, "", "", settings);
        return settings;
    }

    private static void collect(Obj schema, String prefix, String within, List<Setting> into) {
        if (!(schema.get("properties") instanceof Obj properties)) {
            return;
        }
        for (int i = 0; i < properties.size(); i++) {
            String path = prefix + properties.name(i);
            Obj property = (Obj) properties.value(i);
            if (property.get("properties") instanceof Obj) {
                boolean always = isRequired(schema, properties.name(i)) || property.get("default") != null;
                collect(property, path + ".", always ? within : path, into);
            } else {
                into.add(new Setting(
                        path,
                        text(property, "type"),
                        isRequired(schema, properties.name(i)),
                        within,
                        property.get("default"),
                        text(property, "description")));
            }
        }
    }

    private static boolean isRequired(Obj schema, String name) {
        return schema.get("required") instanceof Tree.Arr arr
                && arr.items().stream()
                        .anyMatch(item ->
                                item instanceof Tree.Text text && text.value().equals(name));
    }

    private static String text(Obj schema, String name) {
        return schema.get(name) instanceof Tree.Text text ? text.value() : "";
    }

    /** Whether an environment variable can state it. */
    boolean isPlain() {
        return !type.equals("object") && !type.equals("array");
    }

    /** The variable that states it: {@code server.tokenFile} is {@code FLOTILLA_SERVER_TOKEN_FILE}. */
    String variable() {
        return PREFIX
                + path.replace('.', '_')
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toUpperCase(Locale.ROOT);
    }

    /** A variable's text as a value of this setting's type. */
    Tree read(String text) {
        if (type.equals("integer") && text.matches("-?[0-9]{1,18}")) {
            return new Tree.Whole(Long.parseLong(text), Tree.NO_LINE);
        }
        if (type.equals("boolean") && (text.equals("true") || text.equals("false"))) {
            return new Tree.Flag(text.equals("true"), Tree.NO_LINE);
        }
        return new Tree.Text(text, Tree.NO_LINE);
    }
}
