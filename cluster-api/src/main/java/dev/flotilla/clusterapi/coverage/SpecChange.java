package dev.flotilla.clusterapi.coverage;

import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A field that differs between two specs. The values may be secret.
 *
 * @param from the current value; null if the field is added
 * @param to the desired value; null if the field is removed
 */
public record SpecChange(
        SpecPath path, @Nullable JsonValue from, @Nullable JsonValue to) {

    /** Whether an empty object is added or removed. */
    boolean isEmptyObject() {
        return (from == null && isEmpty(to)) || (to == null && isEmpty(from));
    }

    private static boolean isEmpty(@Nullable JsonValue value) {
        return value instanceof JsonObjectReader object && object.size() == 0;
    }

    /** Whether a merge patch can make this change: in one, a null removes a field. */
    boolean isPatchable() {
        return to == null || !hasNull(to);
    }

    private static boolean hasNull(JsonValue value) {
        if (value instanceof JsonObjectReader object) {
            for (int i = 0; i < object.size(); i++) {
                if (hasNull(object.value(i))) {
                    return true;
                }
            }
            return false;
        }
        return value instanceof JsonValue.JsonNull;
    }

    /** Returns the path, never the values. */
    @Override
    public String toString() {
        return path.toString();
    }
}
