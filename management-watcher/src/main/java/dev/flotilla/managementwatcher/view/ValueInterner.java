package dev.flotilla.managementwatcher.view;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps once what many objects have in common: names, versions, labels. Used by one thread. */
public final class ValueInterner {
    /** What is kept after so many begins anew: a few things are then kept twice. */
    private static final int MOST = 50_000;

    private final Map<Object, Object> kept = new HashMap<>();

    /** The first that was equal to this one. */
    @SuppressWarnings("unchecked")
    public <T> T intern(T value) {
        if (kept.size() >= MOST) {
            kept.clear();
        }
        return (T) kept.computeIfAbsent(value, first -> first);
    }

    /** The first that was equal to this one; null where there is none. */
    public <T> @Nullable T internNullable(@Nullable T value) {
        return value == null ? null : intern(value);
    }
}
