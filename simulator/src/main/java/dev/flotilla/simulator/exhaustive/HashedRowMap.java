package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows at one instant, with a hash that does not depend on their order. */
final class HashedRowMap {
    static final HashedRowMap NONE = new HashedRowMap(Map.of(), 0);

    private final Map<RowKey, HashedRow> rows;
    private final long hash;

    private record HashedRow(RowChange row, long hash) {}

    private HashedRowMap(Map<RowKey, HashedRow> rows, long hash) {
        this.rows = rows;
        this.hash = hash;
    }

    long hash() {
        return hash;
    }

    @Nullable
    RowChange get(RowKey key) {
        HashedRow kept = rows.get(key);
        return kept == null ? null : kept.row();
    }

    <R extends RowChange> List<R> all(Class<R> type) {
        return rows.values().stream()
                .map(HashedRow::row)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    HashedRowMap with(List<RowChange> changes) {
        Map<RowKey, HashedRow> next = new LinkedHashMap<>(rows);
        long sum = hash;
        for (RowChange rowChange : changes) {
            RowKey at = rowChange.rowKey();
            HashedRow before = rowChange instanceof Tombstone ? next.remove(at) : null;
            if (!(rowChange instanceof Tombstone)) {
                HashedRow kept = new HashedRow(rowChange, StableHash.of(rowChange.toString()));
                before = next.put(at, kept);
                sum += kept.hash();
            }
            sum -= before == null ? 0 : before.hash();
        }
        return new HashedRowMap(next, sum);
    }

    /** The state of a leader that has read all rows. */
    FleetState restored() {
        FleetState state = new FleetState();
        rows.values().forEach(kept -> state.put(kept.row()));
        return state;
    }
}
