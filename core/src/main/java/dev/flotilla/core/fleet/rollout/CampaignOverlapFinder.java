package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.CampaignName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the campaign that has to finish with machines of a cluster before a later one may have them. */
public final class CampaignOverlapFinder {
    private CampaignOverlapFinder() {}

    /**
     * The earlier campaign that has still to do with a machine of a cluster which a later one wants elsewhere; null for none. One
     * beside which a person lets the later one go on does not count.
     */
    public static @Nullable CampaignName find(
            ClusterState cluster, List<ClusterBacklog> backlogs, CampaignRollout later, MachineView look) {
        for (int i = 0; i < backlogs.size(); i++) {
            ClusterBacklog clusterBacklog = backlogs.get(i);
            if (clusterBacklog.counts().remaining() > 0
                    && clusterBacklog.rollout() instanceof CampaignRollout earlier
                    && earlier.status().uid() < later.status().uid()
                    && !later.status().mayOverlap(earlier.status())
                    && !earlier.isOver()
                    && !earlier.isPastDeadline()
                    && !earlier.spec().target().equals(later.spec().target())
                    && shares(cluster, earlier, later, look)) {
                return earlier.name();
            }
        }
        return null;
    }

    private static boolean shares(
            ClusterState cluster, CampaignRollout earlier, CampaignRollout later, MachineView look) {
        for (int i = 0; i < cluster.size(); i++) {
            look.moveTo(cluster.member(i));
            MachineProgressState there = earlier.progressStateOf(cluster, look);
            if (there != MachineProgressState.NONE && !there.hasEnded()) {
                MachineProgressState here = later.progressStateOf(cluster, look);
                if (here != MachineProgressState.NONE && !here.hasEnded()) {
                    return true;
                }
            }
        }
        return false;
    }
}
