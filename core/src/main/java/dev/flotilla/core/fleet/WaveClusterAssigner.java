package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.Wave;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Which clusters a wave takes that takes a share of what it selects. Every cluster has a place of its own in a campaign, a
 * hash of the two, in millionths; waves with a share take one stretch of places after the other. So a cluster's wave is
 * known without being stored, and who joins or leaves moves nobody else.
 */
final class WaveClusterAssigner {
    /** A cluster that the wave may take: its distance from where the wave's stretch begins, and its machines. */
    private record EligibleCluster(int distance, int machines) {}

    private WaveClusterAssigner() {}

    /** The first wave that selects a cluster and is not closed. */
    static int waveOf(CampaignRollout campaign, ClusterState cluster) {
        List<WaveProgress> waves = campaign.waves();
        int last = waves.size() - 1;
        int wave = first(campaign, cluster, last);
        while (wave < last && waves.get(wave).isClosed()) {
            wave++;
        }
        return wave;
    }

    /** The first of so many waves that takes a cluster, or that number where none does. */
    private static int first(CampaignRollout campaign, ClusterState cluster, int most) {
        List<WaveProgress> waves = campaign.waves();
        int left = -1;
        for (int i = 0; i < most; i++) {
            WaveProgress wave = waves.get(i);
            if (!wave.selects(cluster)) {
                continue;
            }
            if (wave.wave().size() == null) {
                return i;
            }
            left = left < 0 ? place(campaign, cluster) : left;
            if (left < wave.sharePartsPerMillion()) {
                return i;
            }
            left -= wave.sharePartsPerMillion();
        }
        return most;
    }

    /** Where a cluster stands in a campaign, in millionths. */
    private static int place(CampaignRollout campaign, ClusterState cluster) {
        return (int) Long.remainderUnsigned(
                StableHash.mix(cluster.spread ^ campaign.status().uid()), Wave.WHOLE);
    }

    /** How many millionths a wave has to take for its percentage, but one cluster at least; or for at most so many machines. */
    static int bound(CampaignRollout campaign, int index, Collection<ClusterState> clusters) {
        WaveProgress wave = campaign.waves().get(index);
        List<EligibleCluster> eligible = new ArrayList<>();
        for (ClusterState cluster : clusters) {
            ClusterBacklog clusterBacklog = cluster.share(campaign);
            if (clusterBacklog == null
                    || !wave.selects(cluster)
                    || campaign.pinnedWave(cluster) >= 0
                    || first(campaign, cluster, index) < index) {
                continue;
            }
            int distance = place(campaign, cluster);
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
