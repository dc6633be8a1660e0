package dev.flotilla.managementwatcher.view;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps values that many objects share once: names, versions, labels. Used by one thread. */
final class ValueInterner {
    /** At this size the interner is cleared, so that a few values are then kept twice. */
    private static final int MAX_VALUES = 50_000;

    private final Map<Object, Object> values = new HashMap<>();

    /** Returns the first value that was equal to this one. */
    @SuppressWarnings("unchecked")
    public <T> T intern(T value) {
        if (values.size() >= MAX_VALUES) {
            values.clear();
        }
        return (T) values.computeIfAbsent(value, first -> first);
    }

    /** Returns the first value that was equal to this one; null for null. */
    public <T> @Nullable T internNullable(@Nullable T value) {
        return value == null ? null : intern(value);
    }
}
