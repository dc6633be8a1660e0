package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.PriorityHeap;
import dev.flotilla.core.fleet.inventory.SiteState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rollout's start queues, one for each site, with the one whose first cluster goes first at the front: the number of
 * sites hardly affects a search. Queues that a search found closed are excluded until it ends.
 */
public final class RolloutStartQueues {
    private final Map<SiteState, List<SiteStartQueue>> bySite = new LinkedHashMap<>();
    private final PriorityHeap<SiteStartQueue> open = new PriorityHeap<>();
    private final List<SiteStartQueue> aside = new ArrayList<>();

    /** The first queue that is not excluded; null for none. */
    public @Nullable SiteStartQueue first() {
        return open.first();
    }

    /** Puts a backlog at its position. */
    public void put(ClusterBacklog clusterBacklog, int need) {
        SiteStartQueue siteStartQueue = clusterBacklog.startQueue();
        if (siteStartQueue == null || siteStartQueue.budgetNeeded != need) {
            removeBacklog(clusterBacklog);
            siteStartQueue = queueOf(clusterBacklog.cluster().site(), need);
            clusterBacklog.startQueue(siteStartQueue);
        }
        siteStartQueue.backlogs.put(clusterBacklog);
        open.put(siteStartQueue);
    }

    /** Removes a backlog from its queue, if it is in one. */
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

    /** Excludes a queue until the search is over. */
    public void setAside(SiteStartQueue siteStartQueue) {
        open.remove(siteStartQueue);
        aside.add(siteStartQueue);
    }

    /** Excludes all queues of a site until the search is over. */
    public void setAside(SiteState site) {
        for (SiteStartQueue siteStartQueue : bySite.getOrDefault(site, List.of())) {
            if (siteStartQueue.isQueued()) {
                setAside(siteStartQueue);
            }
        }
    }

    /** Includes the excluded queues again after the search. */
    public void restoreSetAside() {
        for (int i = 0; i < aside.size(); i++) {
            open.put(aside.get(i));
        }
        aside.clear();
    }

    private SiteStartQueue queueOf(SiteState site, int need) {
        List<SiteStartQueue> queues = bySite.computeIfAbsent(site, of -> new ArrayList<>(1));
        for (SiteStartQueue siteStartQueue : queues) {
            if (siteStartQueue.budgetNeeded == need) {
                return siteStartQueue;
            }
        }
        SiteStartQueue siteStartQueue = new SiteStartQueue(site, need);
        queues.add(siteStartQueue);
        return siteStartQueue;
    }
}
