package dev.flotilla.clusterapi.coverage;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of the fields that a table ignores, in one state of a machine. Values may be secret: they are hashed, never shown.
 *
 * @param values by kind and path, such as {@code KubeadmConfig spec.files}; each has the path and, where the field is there, its value
 */
public record IgnoredFields(SortedMap<String, JsonObjectReader> values) {
    public IgnoredFields {
        values = new TreeMap<>(values);
    }

    /**
     * Reads them.
     *
     * @param state the current or desired part of a request
     */
    public static IgnoredFields read(CoverageTable table, KubeObject state, List<HookObject> objects) {
        SortedMap<String, JsonObjectReader> values = new TreeMap<>();
        for (HookObject object : objects) {
            KubeObject described = object.findIn(state);
            String kind = described == null
                    ? null
                    : CoverageTable.withoutTemplate(
                            object.isMachine() ? CoverageTable.MACHINE : String.valueOf(described.text("kind")));
            if (described != null && kind != null) {
                KindCoverage coverage = table.of(kind);
                for (SpecPath path : coverage.ignored()) {
                    if (!coverage.isApplied(new SpecChange(path, null, null))) {
                        String name = kind + " spec." + path;
                        values.put(name, nameWithValue(name, readValue(object.specOf(described), path, coverage)));
                    }
                }
            }
        }
        return new IgnoredFields(values);
    }

    private static JsonObjectReader nameWithValue(String name, @Nullable JsonValue value) {
        JsonObjectReader.Builder json = new JsonObjectReader.Builder().put("path", name);
        if (value != null) {
            json.put("value", value);
        }
        return json.build();
    }

    private static @Nullable JsonValue readValue(KubeObject spec, SpecPath path, KindCoverage coverage) {
        JsonValue value = spec.valueAt(path.names().toArray(String[]::new));
        JsonValue kept = value == null ? null : withoutApplied(value, path, coverage);
        return kept == null ? null : SortedJson.sort(kept);
    }

    /** Leaves out what is applied below an ignored field, and objects that are empty then; null if nothing is left. */
    private static @Nullable JsonValue withoutApplied(JsonValue value, SpecPath path, KindCoverage coverage) {
        if (!(value instanceof JsonObjectReader object)) {
            return value;
        }
        JsonObjectReader.Builder kept = new JsonObjectReader.Builder();
        int fields = 0;
        for (int i = 0; i < object.size(); i++) {
            SpecPath field = path.child(object.name(i));
            JsonValue left = coverage.isApplied(new SpecChange(field, object.value(i), null))
                    ? null
                    : withoutApplied(object.value(i), field, coverage);
            if (left != null) {
                kept.put(object.name(i), left);
                fields++;
            }
        }
        return fields == 0 ? null : kept.build();
    }

    /** Returns those that have another value in another state. */
    public IgnoredFields findChanged(IgnoredFields other) {
        SortedMap<String, JsonObjectReader> changed = new TreeMap<>(values);
        changed.entrySet().removeIf(each -> SpecComparison.isSame(each.getValue(), other.values.get(each.getKey())));
        return new IgnoredFields(changed);
    }

    /** Returns the kinds and paths, never the values. */
    @Override
    public String toString() {
        return String.join(", ", values.keySet());
    }
}
