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

/**
 * The newest committed row of each key: a table as a reader has it who misses nothing. Rows of one type are kept
 * together.
 */
public final class CommittedTableRows {
    private final Map<Class<?>, Map<RowKey, TableRow>> rowsByType = new LinkedHashMap<>();
    private final Map<RowKey, TableRow> rowsByKey = new HashMap<>();

    public void put(RowChange rowChange) {
        RowKey at = rowChange.rowKey();
        TableRow before = rowChange instanceof TableRow row ? rowsByKey.put(at, row) : rowsByKey.remove(at);
        if (before != null) {
            ofType(before).remove(at);
        }
        if (rowChange instanceof TableRow row) {
            ofType(row).put(at, row);
        }
    }

    private Map<RowKey, TableRow> ofType(TableRow row) {
        return rowsByType.computeIfAbsent(row.getClass(), absent -> new LinkedHashMap<>());
    }

    /** Removes all rows whose keys match. */
    public void removeIf(Predicate<RowKey> lost) {
        for (RowKey at : List.copyOf(rowsByKey.keySet())) {
            if (lost.test(at)) {
                put(new Tombstone(at));
            }
        }
    }

    public @Nullable TableRow get(RowKey at) {
        return rowsByKey.get(at);
    }

    /**
     * All rows of one type, in the order in which they were put. A live view: it changes with the table.
     */
    @SuppressWarnings("unchecked") // Rows of a type are stored under that type only.
    public <T extends TableRow> Collection<T> all(Class<T> kind) {
        return (Collection<T>) Collections.unmodifiableCollection(
                rowsByType.getOrDefault(kind, Collections.emptyMap()).values());
    }

    public List<TableRow> all() {
        List<TableRow> rows = new ArrayList<>(rowsByKey.size());
        rowsByType.values().forEach(kind -> rows.addAll(kind.values()));
        return rows;
    }
}
