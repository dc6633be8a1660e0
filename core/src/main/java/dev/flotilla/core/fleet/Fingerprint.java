package dev.flotilla.core.fleet;

import org.jspecify.annotations.Nullable;

/**
 * The hash of all rows: of each row's text, added up, so that the order in which they came is not in it.
 *
 * <p>It can be had quickly, too: then what was worked out the last time is not worked out again. Of that nothing is kept
 * before somebody asks for it.
 */
final class Fingerprint {
    private final Rows rows;

    Fingerprint(Rows rows) {
        this.rows = rows;
    }

    /** Everything is looked at. */
    long whole() {
        return rows.inventory.machines.digests.all() + others();
    }

    /** Of machines, those whose rows have not changed are not looked at again; of the rest there are few. */
    long quick() {
        return rows.inventory.machines.digests.quickly() + others();
    }

    private long others() {
        long sum = one(rows.head);
        for (Site site : rows.inventory.sites.values()) {
            sum += one(site.heartbeat) + one(site.head) + one(site.status);
        }
        for (Cluster cluster : rows.inventory.clusters.values()) {
            sum += one(cluster.row);
        }
        for (IntentsRollout intents : rows.rollouts.intents().values()) {
            sum += all(intents.all().values());
        }
        for (CampaignRollout campaign : rows.rollouts.campaigns().values()) {
            sum += one(campaign.status());
        }
        return sum
                + all(rows.rollouts.waves.values())
                + all(rows.policies.values())
                + all(rows.orders.values())
                + all(rows.campaigns.values())
                + all(rows.objects.rows())
                + all(rows.rejected.values())
                + all(rows.zones.values());
    }

    private static long all(Iterable<?> rows) {
        long sum = 0;
        for (Object row : rows) {
            sum += one(row);
        }
        return sum;
    }

    private static long one(@Nullable Object row) {
        return row == null ? 0 : Digest.of(row.toString());
    }
}
