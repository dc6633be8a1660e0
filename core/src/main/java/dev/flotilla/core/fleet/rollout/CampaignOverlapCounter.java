package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.CampaignName;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts for a campaign the clusters in which it overlaps with each earlier campaign. It waits until the overlap ends,
 * the earlier campaign's deadline passes, or the overlap is approved.
 */
public final class CampaignOverlapCounter {
    private final SortedMap<CampaignName, Integer> clusters = new TreeMap<>();

    /** The first overlapping campaign by name; null for none. */
    public @Nullable CampaignName first() {
        return clusters.isEmpty() ? null : clusters.firstKey();
    }

    /** Replaces the overlapping campaign of one cluster; null for none. */
    public void replace(@Nullable CampaignName before, @Nullable CampaignName now) {
        if (before != null) {
            clusters.computeIfPresent(before, (name, count) -> count == 1 ? null : count - 1);
        }
        if (now != null) {
            clusters.merge(now, 1, Integer::sum);
        }
    }

    /** Resets the counts. */
    void clear() {
        clusters.clear();
    }
}
