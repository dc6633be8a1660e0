package dev.flotilla.simulator.log;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The newest row of each key: a table as somebody has it who misses nothing. */
public final class CommittedRows {
    private final Map<RowKey, Row> rows = new LinkedHashMap<>();

    public void put(Fact fact) {
        if (fact instanceof Row row) {
            rows.put(row.at(), row);
        } else {
            rows.remove(fact.at());
        }
    }

    /** The key's newest record cannot be read. */
    public void lose(RowKey at) {
        rows.remove(at);
    }

    public @Nullable Row get(RowKey at) {
        return rows.get(at);
    }

    /** All rows of one kind, in the order in which their keys first came. */
    public <T extends Row> List<T> all(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (Row row : rows.values()) {
            if (kind.isInstance(row)) {
                found.add(kind.cast(row));
            }
        }
        return found;
    }

    public List<Row> all() {
        return new ArrayList<>(rows.values());
    }

    public int size() {
        return rows.size();
    }
}
