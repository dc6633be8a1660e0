package dev.flotilla.schemas.row;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Labels of a Kubernetes object, in the order of their keys. */
public record Labels(SortedMap<String, String> values) {
    public static final Labels NONE = new Labels(new TreeMap<>());

    public Labels {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    public @Nullable String get(String key) {
        return values.get(key);
    }
}
