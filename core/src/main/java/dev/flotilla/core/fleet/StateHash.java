package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.TableRow;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The hash of all rows: of each row's text, added up, so that the order in which they came is not in it.
 *
 * <p>It can be had quickly, too: then what was worked out the last time is not worked out again. Of that nothing is kept
 * before somebody asks for it.
 */
final class StateHash {
    private final RowStore rows;

    /** What was known the last time of rows that are no machines', by their places. */
    private Map<RowKey, KnownRowHash> known = new LinkedHashMap<>();

    private record KnownRowHash(TableRow row, long digest) {}

    StateHash(RowStore rows) {
        this.rows = rows;
    }

    /** Everything is looked at. */
    long compute() {
        return rows.inventory.machines().stateHash().all() + others(StateHash::digest);
    }

    /** Rows that have not changed are not looked at again. */
    long computeIncrementally() {
        Map<RowKey, KnownRowHash> now = new LinkedHashMap<>();
        long sum = rows.inventory.machines().stateHash().quickly() + others(row -> digest(row, now));
        known = now;
        return sum;
    }

    private long others(ToLongFunction<TableRow> digest) {
        HashSum sum = new HashSum(digest);
        sum.add(rows.head);
        for (SiteState site : rows.inventory.sites().values()) {
            sum.add(site.heartbeat());
            sum.add(site.head());
            sum.add(site.status());
        }
        rows.inventory.clusters().values().forEach(cluster -> sum.add(cluster.row()));
        rows.rollouts.intents().values().forEach(site -> sum.addAll(site.all().values()));
        rows.rollouts.campaigns().values().forEach(campaign -> sum.add(campaign.status()));
        sum.addAll(rows.rollouts.waves().values());
        sum.addAll(rows.policies.values());
        sum.addAll(rows.orders.all());
        sum.addAll(rows.campaigns.values());
        sum.addAll(rows.objects.rows());
        sum.addAll(rows.rejected.all());
        sum.addAll(rows.zones.values());
        return sum.value;
    }

    /** Digests of rows, in whatever order they come. */
    private static final class HashSum {
        private final ToLongFunction<TableRow> digest;
        private long value;

        HashSum(ToLongFunction<TableRow> digest) {
            this.digest = digest;
        }

        void add(@Nullable TableRow row) {
            value += row == null ? 0 : digest.applyAsLong(row);
        }

        void addAll(Iterable<? extends TableRow> all) {
            all.forEach(this::add);
        }
    }

    private static long digest(TableRow row) {
        return StableHash.of(row.toString());
    }

    private long digest(TableRow row, Map<RowKey, KnownRowHash> now) {
        RowKey place = row.rowKey();
        KnownRowHash before = known.get(place);
        KnownRowHash next = before != null && before.row().equals(row) ? before : new KnownRowHash(row, digest(row));
        now.put(place, next);
        return next.digest();
    }
}
