package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The newest row of each key: a table as somebody has it who misses nothing. Rows of one kind are kept together. */
public final class CommittedTableRows {
    private final Map<Class<?>, Map<RowKey, TableRow>> kinds = new LinkedHashMap<>();
    private final Map<RowKey, Map<RowKey, TableRow>> homes = new HashMap<>();

    public void put(RowChange rowChange) {
        if (rowChange instanceof TableRow row) {
            Map<RowKey, TableRow> home = kinds.computeIfAbsent(row.getClass(), absent -> new LinkedHashMap<>());
            Map<RowKey, TableRow> before = homes.put(row.rowKey(), home);
            if (before != null) {
                before.remove(row.rowKey());
            }
            home.put(row.rowKey(), row);
        } else {
            Map<RowKey, TableRow> home = homes.remove(rowChange.rowKey());
            if (home != null) {
                home.remove(rowChange.rowKey());
            }
        }
    }

    /** These rows are not there any more. */
    public void removeIf(Predicate<RowKey> lost) {
        for (RowKey at : List.copyOf(homes.keySet())) {
            if (lost.test(at)) {
                put(new Tombstone(at));
            }
        }
    }

    public @Nullable TableRow get(RowKey at) {
        Map<RowKey, TableRow> home = homes.get(at);
        return home == null ? null : home.get(at);
    }

    /** All rows of one kind, in the order in which their keys first came. Not to be kept: it changes with the table. */
    @SuppressWarnings("unchecked") // Rows of a kind are put under that kind and nowhere else.
    public <T extends TableRow> Collection<T> all(Class<T> kind) {
        return (Collection<T>) Collections.unmodifiableCollection(
                kinds.getOrDefault(kind, Collections.emptyMap()).values());
    }

    public List<TableRow> all() {
        List<TableRow> rows = new ArrayList<>(homes.size());
        kinds.values().forEach(kind -> rows.addAll(kind.values()));
        return rows;
    }
}
