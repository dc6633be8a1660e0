package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.rollout.QuarantineLiftRule;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The clusters with a machine quarantined before its campaign's last retry order. */
public final class RetriableMachineIndex {
    private final TreeSet<ClusterState> clusters = new TreeSet<>(Comparator.comparing(ClusterState::key));
    private final ClusterBacklogTable backlogs;

    public RetriableMachineIndex(ClusterBacklogTable backlogs) {
        this.backlogs = backlogs;
    }

    /** Updates the index after a cluster was counted. */
    void update(ClusterState cluster, MachineView scratch) {
        if (find(cluster, scratch) != null) {
            clusters.add(cluster);
        } else if (!clusters.isEmpty()) {
            clusters.remove(cluster);
        }
    }

    /** The first such machine; null for none. */
    public @Nullable MachineView first(MachineView scratch) {
        return clusters.isEmpty() ? null : find(clusters.first(), scratch);
    }

    private @Nullable MachineView find(ClusterState cluster, MachineView scratch) {
        List<ClusterBacklog> all = backlogs.of(cluster);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).quarantined() > 0
                    && all.get(i).rollout() instanceof CampaignRollout campaign
                    && campaign.status().retriedBeforeSeq() > 0
                    && !campaign.isOver()
                    && find(cluster, campaign, scratch)) {
                return scratch;
            }
        }
        return null;
    }

    private static boolean find(ClusterState cluster, CampaignRollout campaign, MachineView scratch) {
        for (int i = 0; i < cluster.size(); i++) {
            scratch.moveTo(cluster.member(i));
            if (!scratch.unreadable()
                    && campaign.progressStateOf(cluster, scratch) == MachineProgressState.QUARANTINED
                    && QuarantineLiftRule.isLifted(campaign, scratch.status())) {
                return true;
            }
        }
        return false;
    }
}
