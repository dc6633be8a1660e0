package dev.flotilla.core.fleet;

import org.jspecify.annotations.Nullable;

/** The hash of all rows: of each row's text, added up, so that the order in which they came is not in it. */
final class Fingerprint {
    private Fingerprint() {}

    static long of(Rows rows) {
        long sum = one(rows.head);
        for (Site site : rows.inventory.sites.values()) {
            sum += one(site.heartbeat) + one(site.head) + one(site.status);
        }
        for (Cluster cluster : rows.inventory.clusters.values()) {
            sum += one(cluster.row);
        }
        sum += rows.inventory.machines.digest();
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
                + all(rows.objects.values())
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
