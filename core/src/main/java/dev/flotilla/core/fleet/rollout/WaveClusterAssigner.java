package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.Wave;
import java.util.List;

/**
 * Assigns clusters to waves with a size. Each cluster has a fixed position in a campaign, a hash of both in millionths;
 * each sized wave takes one range of positions after the other. So a cluster's wave is known without being stored, and
 * clusters that join or leave move no others.
 */
final class WaveClusterAssigner {
    private WaveClusterAssigner() {}

    /** The first wave that selects a cluster and is not closed. */
    static int waveOf(List<WaveProgress> waves, long campaignUid, ClusterState cluster) {
        int last = waves.size() - 1;
        int wave = first(waves, campaignUid, cluster, last);
        while (wave < last && waves.get(wave).isClosed()) {
            wave++;
        }
        return wave;
    }

    /** The first of the given number of waves that takes a cluster, or that number if none does. */
    static int first(List<WaveProgress> waves, long campaignUid, ClusterState cluster, int most) {
        int left = -1;
        for (int i = 0; i < most; i++) {
            WaveProgress wave = waves.get(i);
            if (!wave.selects(cluster)) {
                continue;
            }
            if (wave.wave().size() == null) {
                return i;
            }
            left = left < 0 ? place(campaignUid, cluster) : left;
            if (left < wave.sharePartsPerMillion()) {
                return i;
            }
            left -= wave.sharePartsPerMillion();
        }
        return most;
    }

    /** The position of a cluster in a campaign, in millionths. */
    static int place(long campaignUid, ClusterState cluster) {
        return (int) Long.remainderUnsigned(StableHash.mix(cluster.spread() ^ campaignUid), Wave.WHOLE);
    }
}
