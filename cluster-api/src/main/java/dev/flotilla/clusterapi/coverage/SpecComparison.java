package dev.flotilla.clusterapi.coverage;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares two specs as Cluster API does: an absent field, an empty object, an empty list and null are four values, and 1 is not 1.0. The
 * order of names does not matter; lists are compared as a whole.
 */
final class SpecComparison {
    private static final JsonObjectReader EMPTY = new JsonObjectReader.Builder().build();

    private SpecComparison() {}

    /** Whether two values are the same for Cluster API. */
    static boolean isSame(@Nullable JsonValue one, @Nullable JsonValue other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return switch (one) {
            case JsonValue.JsonString string ->
                other instanceof JsonValue.JsonString same && same.value().equals(string.value());
            case JsonValue.JsonInteger integer ->
                other instanceof JsonValue.JsonInteger same && same.value() == integer.value();
            case JsonValue.JsonDecimal decimal ->
                other instanceof JsonValue.JsonDecimal same && same.text().equals(decimal.text());
            case JsonValue.JsonBoolean bool ->
                other instanceof JsonValue.JsonBoolean same && same.value() == bool.value();
            case JsonValue.JsonNull isNull -> other instanceof JsonValue.JsonNull;
            case JsonValue.JsonArray array -> other instanceof JsonValue.JsonArray same && isSame(array, same);
            case JsonObjectReader object -> other instanceof JsonObjectReader same && isSame(object, same);
        };
    }

    private static boolean isSame(JsonValue.JsonArray one, JsonValue.JsonArray other) {
        boolean same = one.items().size() == other.items().size();
        for (int i = 0; same && i < one.items().size(); i++) {
            same = isSame(one.items().get(i), other.items().get(i));
        }
        return same;
    }

    private static boolean isSame(JsonObjectReader one, JsonObjectReader other) {
        boolean same = one.size() == other.size();
        for (int i = 0; same && i < one.size(); i++) {
            same = isSame(one.value(i), other.get(one.name(i)));
        }
        return same;
    }

    /** Finds the fields that differ, in the order of their paths. Of an object that is added or removed these are its fields. */
    static List<SpecChange> findChanges(JsonObjectReader current, JsonObjectReader desired) {
        List<SpecChange> changes = new ArrayList<>();
        compare(SpecPath.ROOT, current, desired, changes);
        return changes;
    }

    private static void compare(
            SpecPath path, JsonObjectReader current, JsonObjectReader desired, List<SpecChange> changes) {
        for (String name : namesOf(current, desired)) {
            JsonValue from = current.get(name);
            JsonValue to = desired.get(name);
            SpecPath field = path.child(name);
            if (!isSame(from, to)) {
                if (isComparedByField(from, to)) {
                    compare(field, orEmpty(from), orEmpty(to), changes);
                } else {
                    changes.add(new SpecChange(field, from, to));
                }
            }
        }
    }

    /** Whether both are objects, or one is and the other is absent. An empty object that comes or goes has no field to name. */
    private static boolean isComparedByField(@Nullable JsonValue from, @Nullable JsonValue to) {
        return (from == null || from instanceof JsonObjectReader)
                && (to == null || to instanceof JsonObjectReader)
                && orEmpty(from).size() + orEmpty(to).size() > 0;
    }

    private static JsonObjectReader orEmpty(@Nullable JsonValue value) {
        return value instanceof JsonObjectReader object ? object : EMPTY;
    }

    private static Iterable<String> namesOf(JsonObjectReader one, JsonObjectReader other) {
        TreeSet<String> names = new TreeSet<>();
        for (int i = 0; i < one.size(); i++) {
            names.add(one.name(i));
        }
        for (int i = 0; i < other.size(); i++) {
            names.add(other.name(i));
        }
        return names;
    }

    /**
     * Builds the JSON merge patch that makes the desired spec of the current one; empty if nothing differs. It cannot write a null, which no
     * Kubernetes object has.
     */
    static JsonObjectReader buildMergePatch(JsonObjectReader current, JsonObjectReader desired) {
        JsonObjectReader.Builder patch = new JsonObjectReader.Builder();
        for (String name : namesOf(current, desired)) {
            JsonValue from = current.get(name);
            JsonValue to = desired.get(name);
            if (isSame(from, to)) {
                continue;
            }
            if (to == null) {
                patch.put(name, new JsonValue.JsonNull(JsonValue.NO_LINE));
            } else if (from instanceof JsonObjectReader before && to instanceof JsonObjectReader after) {
                patch.put(name, buildMergePatch(before, after));
            } else {
                patch.put(name, to);
            }
        }
        return patch.build();
    }
}
