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
 * The hash of all rows: the sum of the hashes of their texts, so that their order does not matter.
 *
 * <p>It can be computed incrementally from the changed rows; nothing is kept before the first incremental query.
 */
final class StateHash {
    private final RowStore rows;

    /** Hashes of rows except machines', by key. Rows that no longer exist are removed when they are as many as the rest. */
    private final Map<RowKey, KnownRowHash> known = new LinkedHashMap<>();

    private long summed;

    private record KnownRowHash(TableRow row, long digest) {}

    StateHash(RowStore rows) {
        this.rows = rows;
    }

    /** Computes the hash from all rows. */
    long compute() {
        return rows.inventory.machines().stateHash().all() + sumOtherRows(StateHash::digest);
    }

    /** Computes the hash from the changed rows. */
    long computeIncrementally() {
        summed = 0;
        long sum = rows.inventory.machines().stateHash().quickly() + sumOtherRows(this::knownDigest);
        if (known.size() > 2 * summed) {
            known.clear();
        }
        return sum;
    }

    private long sumOtherRows(ToLongFunction<TableRow> digest) {
        HashSum sum = new HashSum(digest);
        sum.add(rows.head);
        for (SiteState site : rows.inventory.sites().values()) {
            sum.add(site.heartbeat());
            sum.add(site.head());
            sum.add(site.status());
        }
        rows.inventory.clusters().values().forEach(cluster -> {
            sum.add(cluster.row());
            sum.add(cluster.upgrade());
        });
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

    /** A sum of row hashes. */
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

    private long knownDigest(TableRow row) {
        summed++;
        RowKey place = row.rowKey();
        KnownRowHash before = known.get(place);
        if (before != null && before.row().equals(row)) {
            return before.digest();
        }
        long digest = digest(row);
        known.put(place, new KnownRowHash(row, digest));
        return digest;
    }
}
