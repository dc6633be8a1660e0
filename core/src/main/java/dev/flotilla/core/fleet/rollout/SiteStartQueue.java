package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.HeapEntry;
import dev.flotilla.core.fleet.column.PriorityHeap;
import dev.flotilla.core.fleet.inventory.SiteState;

/**
 * The clusters of one site in which a rollout may start a machine, in order. Clusters whose start needs more of the
 * failure budget are in a queue of their own, so that they do not block those that need less.
 */
public final class SiteStartQueue extends HeapEntry<SiteStartQueue> {
    private final SiteState site;
    final int budgetNeeded;
    final PriorityHeap<ClusterBacklog> backlogs = new PriorityHeap<>();

    SiteStartQueue(SiteState site, int need) {
        this.site = site;
        this.budgetNeeded = need;
    }

    public ClusterBacklog first() {
        ClusterBacklog clusterBacklog = backlogs.first();
        if (clusterBacklog == null) {
            throw new IllegalStateException("an empty lane was chosen");
        }
        return clusterBacklog;
    }

    boolean isEmpty() {
        return backlogs.first() == null;
    }

    @Override
    public long priority() {
        return first().priority();
    }

    @Override
    public boolean goesBefore(SiteStartQueue other) {
        return first().goesBefore(other.first());
    }

    public SiteState site() {
        return site;
    }
}
