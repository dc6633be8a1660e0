package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.PriorityHeap;
import dev.flotilla.core.fleet.inventory.SiteState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rollout's lanes, the one whose first cluster goes first in front: how many sites there are makes a search hardly
 * longer. While a search goes on, lanes that it found closed stand aside.
 */
public final class RolloutStartQueues {
    private final Map<SiteState, List<SiteStartQueue>> bySite = new LinkedHashMap<>();
    private final PriorityHeap<SiteStartQueue> open = new PriorityHeap<>();
    private final List<SiteStartQueue> aside = new ArrayList<>();

    /** The lane that goes first of those that do not stand aside; null for none. */
    public @Nullable SiteStartQueue first() {
        return open.first();
    }

    /** Puts a share where it belongs now. */
    public void put(ClusterBacklog clusterBacklog, int need) {
        SiteStartQueue siteStartQueue = clusterBacklog.startQueue();
        if (siteStartQueue == null || siteStartQueue.budgetNeeded != need) {
            removeBacklog(clusterBacklog);
            siteStartQueue = lane(clusterBacklog.cluster().site(), need);
            clusterBacklog.startQueue(siteStartQueue);
        }
        siteStartQueue.backlogs.put(clusterBacklog);
        open.put(siteStartQueue);
    }

    /** Takes a share out of its lane, if it is in one. */
    public void removeBacklog(ClusterBacklog clusterBacklog) {
        SiteStartQueue siteStartQueue = clusterBacklog.startQueue();
        if (siteStartQueue == null) {
            return;
        }
        siteStartQueue.backlogs.remove(clusterBacklog);
        clusterBacklog.startQueue(null);
        if (siteStartQueue.isEmpty()) {
            open.remove(siteStartQueue);
        } else {
            open.put(siteStartQueue);
        }
    }

    /** Lets a lane stand aside until the search is over. */
    public void setAside(SiteStartQueue siteStartQueue) {
        open.remove(siteStartQueue);
        aside.add(siteStartQueue);
    }

    /** Lets all lanes of a site stand aside until the search is over. */
    public void setAside(SiteState site) {
        for (SiteStartQueue siteStartQueue : bySite.getOrDefault(site, List.of())) {
            if (siteStartQueue.isQueued()) {
                setAside(siteStartQueue);
            }
        }
    }

    /** The search is over. */
    public void restoreSetAside() {
        for (int i = 0; i < aside.size(); i++) {
            open.put(aside.get(i));
        }
        aside.clear();
    }

    private SiteStartQueue lane(SiteState site, int need) {
        List<SiteStartQueue> lanes = bySite.computeIfAbsent(site, of -> new ArrayList<>(1));
        for (SiteStartQueue siteStartQueue : lanes) {
            if (siteStartQueue.budgetNeeded == need) {
                return siteStartQueue;
            }
        }
        SiteStartQueue siteStartQueue = new SiteStartQueue(site, need);
        lanes.add(siteStartQueue);
        return siteStartQueue;
    }
}
