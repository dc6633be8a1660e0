package dev.flotilla.schemas.json.tree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object: names and values in the order of the document, each name once. */
public final class JsonObjectReader implements JsonValue {
    private final List<String> names;
    private final List<JsonValue> values;
    private final int line;

    private JsonObjectReader(List<String> names, List<JsonValue> values, int line) {
        this.names = names;
        this.values = values;
        this.line = line;
    }

    public int size() {
        return names.size();
    }

    public String name(int index) {
        return names.get(index);
    }

    public JsonValue value(int index) {
        return values.get(index);
    }

    public @Nullable JsonValue get(String name) {
        int index = names.indexOf(name);
        return index < 0 ? null : values.get(index);
    }

    @Override
    public int line() {
        return line;
    }

    /** Returns a builder that begins with the members of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(line);
        for (int i = 0; i < names.size(); i++) {
            builder.put(names.get(i), values.get(i));
        }
        return builder;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JsonObjectReader jsonObjectReader
                && names.equals(jsonObjectReader.names)
                && values.equals(jsonObjectReader.values);
    }

    @Override
    public int hashCode() {
        return 31 * names.hashCode() + values.hashCode();
    }

    /** Builds an object. */
    public static final class Builder {
        /** The number of members up to which a scan is faster than an index; above, a scan would take quadratic time. */
        private static final int SCANNED = 16;

        private final List<String> names = new ArrayList<>();
        private final List<JsonValue> values = new ArrayList<>();
        private final int line;
        private @Nullable Map<String, Integer> index;

        public Builder() {
            this(NO_LINE);
        }

        public Builder(int line) {
            this.line = line;
        }

        public boolean has(String name) {
            return find(name) >= 0;
        }

        /** Adds a member, or replaces the one with the same name in its position. */
        public Builder put(String name, JsonValue value) {
            int at = find(name);
            if (at >= 0) {
                values.set(at, value);
                return this;
            }
            return add(name, value);
        }

        /** Adds a member without a check; the caller must know that the name is new. */
        Builder add(String name, JsonValue value) {
            names.add(name);
            values.add(value);
            if (index != null) {
                index.put(name, names.size() - 1);
            }
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, new JsonString(value, NO_LINE));
        }

        public Builder put(String name, long value) {
            return put(name, new JsonInteger(value, NO_LINE));
        }

        public Builder put(String name, boolean value) {
            return put(name, new JsonBoolean(value, NO_LINE));
        }

        public Builder put(String name, List<String> values) {
            List<JsonValue> items = new ArrayList<>();
            for (String value : values) {
                items.add(new JsonString(value, NO_LINE));
            }
            return put(name, new JsonArray(items, NO_LINE));
        }

        public JsonObjectReader build() {
            return new JsonObjectReader(names, values, line);
        }

        private int find(String name) {
            if (names.size() <= SCANNED) {
                return names.indexOf(name);
            }
            if (index == null) {
                index = new HashMap<>();
                for (int i = 0; i < names.size(); i++) {
                    index.put(names.get(i), i);
                }
            }
            Integer at = index.get(name);
            return at == null ? -1 : at;
        }
    }
}
