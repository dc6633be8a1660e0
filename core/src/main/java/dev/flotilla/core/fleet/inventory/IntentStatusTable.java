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

/** The rows that show how far owners' and clusters' intents are, and which of them do not show what is so. */
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

    /** Something may be different about an object's intent. */
    public void touch(ObjectKey object) {
        touched.add(object);
    }

    /** An object that was touched; it is not returned again for that. Null for none. */
    public @Nullable ObjectKey nextTouched() {
        if (touched.isEmpty()) {
            return null;
        }
        ObjectKey first = touched.iterator().next();
        touched.remove(first);
        return first;
    }

    /** Notes whether the row of an object shows what is so. */
    public void compare(ObjectKey object, @Nullable IntentStatus so) {
        if (Objects.equals(so, rows.get(object))) {
            stale.remove(object);
        } else {
            stale.add(object);
        }
    }

    /** The first object whose row has to be written anew; null for none. */
    public @Nullable ObjectKey stale() {
        return stale.isEmpty() ? null : stale.first();
    }
}
