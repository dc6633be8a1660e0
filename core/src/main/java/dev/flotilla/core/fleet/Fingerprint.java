package dev.flotilla.core.fleet;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The hash of all rows: of each row's text, added up, so that the order in which they came is not in it.
 *
 * <p>It can be had quickly, too: then what was worked out the last time is not worked out again. Of that nothing is kept
 * before somebody asks for it.
 */
final class Fingerprint {
    private final Rows rows;
    private IdentityHashMap<Object, Long> known = new IdentityHashMap<>();

    /** The digest of a row. */
    @FunctionalInterface
    private interface Digester {
        long of(@Nullable Object row);
    }

    Fingerprint(Rows rows) {
        this.rows = rows;
    }

    /** Everything is looked at. */
    long whole() {
        return rows.inventory.machines.digests.all() + others(Fingerprint::one);
    }

    /** What is still the same row as the last time is taken to be the same. */
    long quick() {
        IdentityHashMap<Object, Long> before = known;
        IdentityHashMap<Object, Long> now = new IdentityHashMap<>();
        long sum = rows.inventory.machines.digests.quickly()
                + others(row -> {
                    if (row == null) {
                        return 0;
                    }
                    Long digest = before.get(row);
                    long found = digest == null ? one(row) : digest;
                    now.put(row, found);
                    return found;
                });
        known = now;
        return sum;
    }

    private long others(Digester digester) {
        long sum = digester.of(rows.head);
        for (Site site : rows.inventory.sites.values()) {
            sum += digester.of(site.heartbeat) + digester.of(site.head) + digester.of(site.status);
        }
        for (Cluster cluster : rows.inventory.clusters.values()) {
            sum += digester.of(cluster.row);
        }
        for (IntentsRollout intents : rows.rollouts.intents().values()) {
            sum += all(intents.all().values(), digester);
        }
        for (CampaignRollout campaign : rows.rollouts.campaigns().values()) {
            sum += digester.of(campaign.status());
        }
        return sum
                + all(rows.rollouts.waves.values(), digester)
                + all(rows.policies.values(), digester)
                + all(rows.orders.values(), digester)
                + all(rows.campaigns.values(), digester)
                + all(rows.objects.values(), digester)
                + all(rows.rejected.values(), digester)
                + all(rows.zones.values(), digester);
    }

    private static long all(Iterable<?> rows, Digester digester) {
        long sum = 0;
        for (Object row : rows) {
            sum += digester.of(row);
        }
        return sum;
    }

    private static long one(@Nullable Object row) {
        return row == null ? 0 : Digest.of(row.toString());
    }
}
