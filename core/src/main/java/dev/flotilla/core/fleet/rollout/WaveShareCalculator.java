package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Wave;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Calculates the share of clusters that a wave takes. */
public final class WaveShareCalculator {
    /** A cluster that the wave may take: its distance from the start of the wave's range, and its machines. */
    private record EligibleCluster(int distance, int machines) {}

    private WaveShareCalculator() {}

    /** The share in millionths for a percentage, at least one cluster; or for a maximum number of machines. */
    public static int calculate(
            CampaignRollout campaign, int index, Collection<ClusterState> clusters, ClusterBacklogTable backlogs) {
        WaveProgress wave = campaign.waves().get(index);
        long uid = campaign.status().uid();
        List<EligibleCluster> eligible = new ArrayList<>();
        for (ClusterState cluster : clusters) {
            ClusterBacklog clusterBacklog = backlogs.find(cluster, campaign);
            if (clusterBacklog == null
                    || !wave.selects(cluster)
                    || campaign.pinnedWave(cluster) >= 0
                    || WaveClusterAssigner.first(campaign.waves(), uid, cluster, index) < index) {
                continue;
            }
            int distance = WaveClusterAssigner.place(uid, cluster);
            for (int i = 0; i < index; i++) {
                WaveProgress before = campaign.waves().get(i);
                distance -= before.selects(cluster) ? before.sharePartsPerMillion() : 0;
            }
            eligible.add(new EligibleCluster(distance, clusterBacklog.total()));
        }
        eligible.sort(Comparator.comparingInt(EligibleCluster::distance));
        return switch (wave.wave().size()) {
            case CountOrPercent.Percent share -> {
                int stated = share.percent() * (Wave.WHOLE / CountOrPercent.HUNDRED_PERCENT);
                yield eligible.isEmpty()
                        ? stated
                        : Math.max(stated, eligible.get(0).distance() + 1);
            }
            case CountOrPercent.Count machines -> upTo(eligible, machines.count());
            case null -> Wave.WHOLE;
        };
    }

    private static int upTo(List<EligibleCluster> eligible, int machines) {
        int bound = 0;
        long taken = 0;
        for (EligibleCluster one : eligible) {
            taken += one.machines();
            if (bound > 0 && taken > machines) {
                break;
            }
            bound = one.distance() + 1;
        }
        return bound;
    }
}
