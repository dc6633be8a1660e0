package dev.flotilla.core.fleet.column;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Interns values that many rows share, each stored once under a number. Zero is no value. */
public final class ValueInterner<T> {
    private final Map<T, Integer> numbers = new LinkedHashMap<>();
    private final List<T> values = new ArrayList<>();

    public int numberOf(@Nullable T value) {
        if (value == null) {
            return 0;
        }
        Integer known = numbers.get(value);
        if (known != null) {
            return known;
        }
        values.add(value);
        numbers.put(value, values.size());
        return values.size();
    }

    public @Nullable T value(int number) {
        return number == 0 ? null : values.get(number - 1);
    }
}
