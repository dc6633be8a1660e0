package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Row;
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
final class Fingerprint {
    private static final int SPARE = 64;

    private final Rows rows;

    /** What is known of rows that are no machines', by their places; those that are gone are not held for ever. */
    private final Map<RowKey, Known> known = new LinkedHashMap<>();

    private int most = SPARE;

    private record Known(Row row, long digest) {}

    Fingerprint(Rows rows) {
        this.rows = rows;
    }

    /** Everything is looked at. */
    long whole() {
        return rows.inventory.machines.digests.all() + others(Fingerprint::digest);
    }

    /** Rows that have not changed are not looked at again. */
    long quick() {
        boolean anew = known.size() > most;
        if (anew) {
            known.clear();
        }
        long sum = rows.inventory.machines.digests.quickly() + others(this::knownDigest);
        if (anew) {
            most = 2 * known.size() + SPARE;
        }
        return sum;
    }

    private long others(ToLongFunction<Row> digest) {
        long sum = one(rows.head, digest);
        for (Site site : rows.inventory.sites.values()) {
            sum += one(site.heartbeat, digest) + one(site.head, digest) + one(site.status, digest);
        }
        for (Cluster cluster : rows.inventory.clusters.values()) {
            sum += one(cluster.row, digest);
        }
        for (IntentsRollout intents : rows.rollouts.intents().values()) {
            sum += all(intents.all().values(), digest);
        }
        for (CampaignRollout campaign : rows.rollouts.campaigns().values()) {
            sum += one(campaign.status(), digest);
        }
        return sum
                + all(rows.rollouts.waves.values(), digest)
                + all(rows.policies.values(), digest)
                + all(rows.orders.all(), digest)
                + all(rows.campaigns.values(), digest)
                + all(rows.objects.rows(), digest)
                + all(rows.rejected.all(), digest)
                + all(rows.zones.values(), digest);
    }

    private static long all(Iterable<? extends Row> rows, ToLongFunction<Row> digest) {
        long sum = 0;
        for (Row row : rows) {
            sum += one(row, digest);
        }
        return sum;
    }

    private static long one(@Nullable Row row, ToLongFunction<Row> digest) {
        return row == null ? 0 : digest.applyAsLong(row);
    }

    private static long digest(Row row) {
        return Digest.of(row.toString());
    }

    private long knownDigest(Row row) {
        RowKey place = row.at();
        Known before = known.get(place);
        if (before != null && before.row().equals(row)) {
            return before.digest();
        }
        Known now = new Known(row, digest(row));
        known.put(place, now);
        return now.digest();
    }
}
