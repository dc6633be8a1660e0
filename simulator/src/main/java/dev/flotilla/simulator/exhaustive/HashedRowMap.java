package dev.flotilla.simulator.exhaustive;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.StableHash;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows at one instant, with a hash that says nothing of the order in which they came. */
final class HashedRowMap {
    static final HashedRowMap NONE = new HashedRowMap(Map.of(), 0);

    private final Map<RowKey, Kept> rows;
    private final long hash;

    private record Kept(RowChange fact, long digest) {}

    private HashedRowMap(Map<RowKey, Kept> rows, long hash) {
        this.rows = rows;
        this.hash = hash;
    }

    long hash() {
        return hash;
    }

    @Nullable
    RowChange get(RowKey key) {
        Kept kept = rows.get(key);
        return kept == null ? null : kept.fact();
    }

    <R extends RowChange> List<R> all(Class<R> type) {
        return rows.values().stream()
                .map(Kept::fact)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    HashedRowMap with(List<RowChange> facts) {
        Map<RowKey, Kept> next = new LinkedHashMap<>(rows);
        long sum = hash;
        for (RowChange rowChange : facts) {
            RowKey at = rowChange.rowKey();
            Kept before = rowChange instanceof Tombstone ? next.remove(at) : null;
            if (!(rowChange instanceof Tombstone)) {
                Kept kept = new Kept(rowChange, StableHash.of(rowChange.toString()));
                before = next.put(at, kept);
                sum += kept.digest();
            }
            sum -= before == null ? 0 : before.digest();
        }
        return new HashedRowMap(next, sum);
    }

    /** What a leader that reads all of it has in memory. */
    FleetState restored() {
        FleetState state = new FleetState();
        rows.values().forEach(kept -> state.put(kept.fact()));
        return state;
    }
}
