package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.CampaignName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds an earlier campaign that must finish with machines of a cluster before a later one may upgrade them. */
public final class CampaignOverlapFinder {
    private CampaignOverlapFinder() {}

    /**
     * The earlier campaign that still has to upgrade a machine of the cluster that the later one targets differently;
     * null for none. An approved overlap does not count, nor does a machine whose provider cannot apply both targets.
     */
    public static @Nullable CampaignName find(
            ClusterState cluster, List<ClusterBacklog> backlogs, CampaignRollout later, MachineView scratch) {
        for (int i = 0; i < backlogs.size(); i++) {
            ClusterBacklog clusterBacklog = backlogs.get(i);
            if (clusterBacklog.counts().remaining() > 0
                    && clusterBacklog.rollout() instanceof CampaignRollout earlier
                    && earlier.status().uid() < later.status().uid()
                    && !later.status().mayOverlap(earlier.status())
                    && !earlier.isOver()
                    && !earlier.isPastDeadline()
                    && !earlier.spec()
                            .target()
                            .option()
                            .equals(later.spec().target().option())
                    && shareMachine(cluster, earlier, later, scratch)) {
                return earlier.name();
            }
        }
        return null;
    }

    private static boolean shareMachine(
            ClusterState cluster, CampaignRollout earlier, CampaignRollout later, MachineView scratch) {
        for (int i = 0; i < cluster.size(); i++) {
            scratch.moveTo(cluster.member(i));
            MachineProgressState earlierState = earlier.progressStateOf(cluster, scratch);
            if (!scratch.provider().canApply(earlier.targetOf(scratch))
                    || !scratch.provider().canApply(later.targetOf(scratch))) {
                continue;
            }
            if (earlierState != MachineProgressState.NONE && !earlierState.hasEnded()) {
                MachineProgressState laterState = later.progressStateOf(cluster, scratch);
                if (laterState != MachineProgressState.NONE && !laterState.hasEnded()) {
                    return true;
                }
            }
        }
        return false;
    }
}
