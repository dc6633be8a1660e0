package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.RolloutRef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The clusters that campaigns have opened. */
public final class OpenClusters {
    private final RowStore rows;

    OpenClusters(RowStore rows) {
        this.rows = rows;
    }

    /** Those that decisions can be made about, and that have changed since their last review, by key. */
    public List<ClusterState> changed() {
        List<ClusterState> changed = rows.inventory.opened().changed();
        // Most decisions are made where no cluster is open.
        return changed.isEmpty()
                ? changed
                : changed.stream()
                        .filter(cluster -> !rows.rejected.isParked(cluster.key()))
                        .toList();
    }

    /** Notes that nothing is to be decided about a cluster until it changes again. */
    public void noteReview(ClusterState cluster) {
        rows.inventory.opened().noteReview(cluster);
    }

    /** What the campaign that has opened a cluster has to do there; null for nothing. */
    public @Nullable ClusterBacklog backlogOf(ClusterState cluster, ClusterUpgrade upgrade) {
        return rows.rollouts.of(upgrade.campaign()) instanceof CampaignRollout campaign
                ? rows.backlogs.find(cluster, campaign)
                : null;
    }

    /**
     * Counts the clusters with changed fields, machines left and none in flight, whose campaign starts machines; null stands for all sites, and all
     * campaigns. A paused or aborted campaign takes no slot of a cap from the others.
     */
    int countIdle(@Nullable SiteId site, @Nullable RolloutRef campaign) {
        int idle = 0;
        for (ClusterState cluster : rows.inventory.opened().all()) {
            ClusterUpgrade upgrade = cluster.upgrade();
            if (upgrade != null
                    && upgrade.hasChanges()
                    && cluster.inFlight() == 0
                    && (site == null || cluster.site().id().equals(site))
                    && (campaign == null || upgrade.campaign().equals(campaign))
                    && hasMachinesLeft(cluster, upgrade)) {
                idle++;
            }
        }
        return idle;
    }

    private boolean hasMachinesLeft(ClusterState cluster, ClusterUpgrade upgrade) {
        ClusterBacklog backlog = backlogOf(cluster, upgrade);
        return backlog != null
                && backlog.counts().remaining() > 0
                && backlog.rollout() instanceof CampaignRollout campaign
                && campaign.status().state() == CampaignState.RUNNING;
    }
}
