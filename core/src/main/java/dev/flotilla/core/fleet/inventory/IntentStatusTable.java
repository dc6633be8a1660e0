package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.IntentStatus;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The status rows of owners' and clusters' intents, and which of them are out of date. */
public final class IntentStatusTable {
    private final Map<ObjectKey, IntentStatus> rows = new LinkedHashMap<>();
    private final Set<ObjectKey> touched = new LinkedHashSet<>();
    private final TreeSet<ObjectKey> stale = new TreeSet<>(Comparator.comparing(ObjectKey::toString));

    public Iterable<IntentStatus> rows() {
        return rows.values();
    }

    public @Nullable IntentStatus get(ObjectKey object) {
        return rows.get(object);
    }

    public void put(ObjectKey object, @Nullable IntentStatus row) {
        if (row == null) {
            rows.remove(object);
        } else {
            rows.put(object, row);
        }
        touch(object);
    }

    /** Marks an object's intent as possibly changed. */
    public void touch(ObjectKey object) {
        touched.add(object);
    }

    /** The next changed object; it is returned once. Null for none. */
    public @Nullable ObjectKey nextTouched() {
        if (touched.isEmpty()) {
            return null;
        }
        ObjectKey first = touched.iterator().next();
        touched.remove(first);
        return first;
    }

    /** Records whether an object's row is up to date. */
    public void compare(ObjectKey object, @Nullable IntentStatus current) {
        if (Objects.equals(current, rows.get(object))) {
            stale.remove(object);
        } else {
            stale.add(object);
        }
    }

    /** The first object whose row must be written again; null for none. */
    public @Nullable ObjectKey stale() {
        return stale.isEmpty() ? null : stale.first();
    }
}
