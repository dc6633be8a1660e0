package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.Wave;
import java.util.List;

/**
 * Which clusters a wave takes that takes a share of what it selects. Every cluster has a place of its own in a campaign, a
 * hash of the two, in millionths; waves with a share take one stretch of places after the other. So a cluster's wave is
 * known without being stored, and who joins or leaves moves nobody else.
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

    /** The first of so many waves that takes a cluster, or that number where none does. */
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

    /** Where a cluster stands in a campaign, in millionths. */
    static int place(long campaignUid, ClusterState cluster) {
        return (int) Long.remainderUnsigned(StableHash.mix(cluster.spread() ^ campaignUid), Wave.WHOLE);
    }
}
