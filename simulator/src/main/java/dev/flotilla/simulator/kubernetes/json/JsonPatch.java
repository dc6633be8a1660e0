package dev.flotilla.simulator.kubernetes.json;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** RFC 6902: applies operations in order, all of them or none. */
public final class JsonPatch {
    private static final int NOWHERE = -1;

    private JsonPatch() {}

    /** The patched document; null if one of the operations cannot be applied. */
    public static @Nullable JsonValue apply(JsonValue document, List<JsonValue> operations) {
        @Nullable JsonValue now = document;
        for (JsonValue operation : operations) {
            now = now == null ? null : applyOperation(now, operation);
        }
        return now;
    }

    private static @Nullable JsonValue applyOperation(JsonValue document, JsonValue operation) {
        List<String> path = pointer(ImmutableJson.textAt(operation, "path"));
        JsonValue value = ImmutableJson.valueAt(operation, "value");
        return switch (ImmutableJson.textAt(operation, "op")) {
            case "add" -> value == null ? null : put(document, path, value, false);
            case "replace" -> value == null ? null : put(document, path, value, true);
            case "remove" -> remove(document, path);
            case "test" -> testPasses(document, path, value) ? document : null;
            case "copy" -> copy(document, pointer(ImmutableJson.textAt(operation, "from")), path);
            case "move" -> move(document, pointer(ImmutableJson.textAt(operation, "from")), path);
            default -> null;
        };
    }

    /** Whether a test operation passes, as in API servers: null also equals a missing field of an existing object. */
    private static boolean testPasses(JsonValue document, List<String> path, @Nullable JsonValue value) {
        JsonValue found = find(document, path);
        if (found == null && value instanceof JsonValue.JsonNull) {
            return !path.isEmpty() && find(document, path.subList(0, path.size() - 1)) != null;
        }
        return ImmutableJson.same(found, value);
    }

    private static @Nullable JsonValue copy(JsonValue document, List<String> from, List<String> to) {
        JsonValue value = find(document, from);
        return value == null ? null : put(document, to, value, false);
    }

    private static @Nullable JsonValue move(JsonValue document, List<String> from, List<String> to) {
        JsonValue value = find(document, from);
        JsonValue without = value == null ? null : remove(document, from);
        return value == null || without == null ? null : put(without, to, value, false);
    }

    private static List<String> pointer(String path) {
        List<String> names = new ArrayList<>();
        if (!path.isEmpty()) {
            for (String part : path.substring(1).split("/", -1)) {
                names.add(part.replace("~1", "/").replace("~0", "~"));
            }
        }
        return names;
    }

    private static @Nullable JsonValue find(JsonValue in, List<String> path) {
        @Nullable JsonValue found = in;
        for (String name : path) {
            found = found == null ? null : child(found, name);
        }
        return found;
    }

    private static @Nullable JsonValue child(JsonValue in, String name) {
        if (in instanceof JsonValue.JsonArray jsonArray) {
            int at = index(name, jsonArray.items().size() - 1);
            return at == NOWHERE ? null : jsonArray.items().get(at);
        }
        return in instanceof JsonObjectReader jsonObjectReader ? jsonObjectReader.get(name) : null;
    }

    private static @Nullable JsonValue put(JsonValue in, List<String> path, JsonValue value, boolean mustBe) {
        if (path.isEmpty()) {
            return value;
        }
        String name = path.get(0);
        JsonValue before = child(in, name);
        boolean last = path.size() == 1;
        if (before == null && (!last || mustBe)) {
            return null;
        }
        JsonValue next = last || before == null ? value : put(before, path.subList(1, path.size()), value, mustBe);
        if (next == null) {
            return null;
        }
        if (in instanceof JsonValue.JsonArray jsonArray) {
            List<JsonValue> items = new ArrayList<>(jsonArray.items());
            int at = name.equals("-") ? items.size() : index(name, items.size());
            if (at == NOWHERE) {
                return null;
            }
            if (last && !mustBe) {
                items.add(at, next);
            } else {
                items.set(at, next);
            }
            return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
        }
        return in instanceof JsonObjectReader jsonObjectReader
                ? jsonObjectReader.toBuilder().put(name, next).build()
                : null;
    }

    private static @Nullable JsonValue remove(JsonValue in, List<String> path) {
        JsonValue before = path.isEmpty() ? null : child(in, path.get(0));
        if (before == null) {
            return null;
        }
        String name = path.get(0);
        if (path.size() > 1) {
            JsonValue next = remove(before, path.subList(1, path.size()));
            return next == null ? null : put(in, List.of(name), next, true);
        }
        if (in instanceof JsonValue.JsonArray jsonArray) {
            List<JsonValue> items = new ArrayList<>(jsonArray.items());
            items.remove(index(name, items.size() - 1));
            return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
        }
        return in instanceof JsonObjectReader jsonObjectReader ? ImmutableJson.without(jsonObjectReader, name) : null;
    }

    private static int index(String name, int most) {
        if (name.isEmpty() || name.length() > 9 || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return NOWHERE;
        }
        int at = Integer.parseInt(name);
        return at <= most ? at : NOWHERE;
    }
}
