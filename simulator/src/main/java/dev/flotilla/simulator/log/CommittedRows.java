package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.row.Row;
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
public final class CommittedRows {
    private final Map<Class<?>, Map<RowKey, Row>> kinds = new LinkedHashMap<>();
    private final Map<RowKey, Map<RowKey, Row>> homes = new HashMap<>();

    public void put(Fact fact) {
        if (fact instanceof Row row) {
            Map<RowKey, Row> home = kinds.computeIfAbsent(row.getClass(), absent -> new LinkedHashMap<>());
            Map<RowKey, Row> before = homes.put(row.at(), home);
            if (before != null) {
                before.remove(row.at());
            }
            home.put(row.at(), row);
        } else {
            Map<RowKey, Row> home = homes.remove(fact.at());
            if (home != null) {
                home.remove(fact.at());
            }
        }
    }

    /** These rows are not there any more. */
    public void removeIf(Predicate<RowKey> lost) {
        for (RowKey at : List.copyOf(homes.keySet())) {
            if (lost.test(at)) {
                put(new Gone(at));
            }
        }
    }

    public @Nullable Row get(RowKey at) {
        Map<RowKey, Row> home = homes.get(at);
        return home == null ? null : home.get(at);
    }

    /** All rows of one kind, in the order in which their keys first came. Not to be kept: it changes with the table. */
    @SuppressWarnings("unchecked") // Rows of a kind are put under that kind and nowhere else.
    public <T extends Row> Collection<T> all(Class<T> kind) {
        return (Collection<T>) Collections.unmodifiableCollection(
                kinds.getOrDefault(kind, Collections.emptyMap()).values());
    }

    public List<Row> all() {
        List<Row> rows = new ArrayList<>(homes.size());
        kinds.values().forEach(kind -> rows.addAll(kind.values()));
        return rows;
    }
}
