package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.CampaignName;
import org.jspecify.annotations.Nullable;

/** What a rollout has to do in one cluster, counted from the rows whenever the cluster was touched. */
public final class ClusterBacklog extends HeapEntry<ClusterBacklog> {
    private static final long LONGEST = (1 << 24) - 1;
    private static final int RANK_SHIFT = 56;

    final Rollout rollout;
    final ClusterState cluster;
    int total;
    int remaining;
    int atTarget;
    int skipped;
    int quarantined;
    int inFlight;
    int budgetUsed;
    int failed;
    int failedAndGone;
    int upgraded;

    /** How its machines have fared by kind, where its campaign tells kinds apart and any had ended. */
    @Nullable
    KeyedCountPairs cohortCounts;

    /** How many of its machines are of each label that its campaign caps, where it does. */
    @Nullable
    KeyedCountPairs domainCounts;

    /** The oldest version that a control-plane machine shows which is not at this target. */
    int oldestControlPlane;

    /** The oldest version that a worker shows. */
    int oldestWorker;

    /** The newest version that a worker shows which is not at this target. */
    int newestWorker;

    /** The earlier campaign that has to do with machines of the cluster which this one wants elsewhere; null for none. */
    @Nullable
    CampaignName overlappingCampaign;

    int controlPlaneLeft;
    int controlPlaneUntried;
    int workersLeft;
    boolean controlPlaneStarted;
    boolean controlPlaneQuarantined;
    int wave;

    /** The machine that may start next as far as its cluster knows; -1 for none. */
    int candidate = -1;

    int rank;
    int budgetNeeded;
    int remainingChain;

    @Nullable
    SiteStartQueue startQueue;

    ClusterBacklog(Rollout rollout, ClusterState cluster) {
        this.rollout = rollout;
        this.cluster = cluster;
    }

    /** Whether the rollout has nothing to do with the cluster: no member, and nothing of machines that are gone. */
    boolean isEmpty() {
        return total == 0 && budgetUsed == 0 && inFlight == 0;
    }

    /** Machines of the cluster that are in the rollout. */
    public int total() {
        return total;
    }

    public int quarantined() {
        return quarantined;
    }

    /** The oldest version that a control-plane machine shows which is not at this target, in the cluster; unknown for none. */
    public int oldestControlPlane() {
        return oldestControlPlane;
    }

    /** The oldest version that a worker of the cluster shows; unknown for none. */
    public int oldestWorker() {
        return oldestWorker;
    }

    /** The newest version that a worker of the cluster shows which is not at this target; unknown for none. */
    public int newestWorker() {
        return newestWorker;
    }

    /** Control-plane machines that have not ended. */
    public int controlPlaneLeft() {
        return controlPlaneLeft;
    }

    /** Of these, the ones that have not failed and are not in flight: what a budget must bear before the first starts. */
    public int controlPlaneUntried() {
        return controlPlaneUntried;
    }

    public boolean controlPlaneQuarantined() {
        return controlPlaneQuarantined;
    }

    /** Whether the control plane has been begun and is not done: it must not be left like that. */
    public boolean halfDone() {
        return controlPlaneStarted && controlPlaneLeft > 0;
    }

    /** The number of the wave the cluster is in. */
    public int wave() {
        return wave;
    }

    int reserved() {
        return halfDone() ? controlPlaneUntried : 0;
    }

    /** Rest of a control plane, retry, longest chain, then as the names are spread. */
    @Override
    long priority() {
        long shorter = LONGEST - Math.min(remainingChain, LONGEST);
        return (long) rank << RANK_SHIFT | shorter << Integer.SIZE | (cluster.spread ^ Long.MIN_VALUE) >>> Integer.SIZE;
    }

    @Override
    boolean goesBefore(ClusterBacklog other) {
        if (cluster.spread != other.cluster.spread) {
            return cluster.spread < other.cluster.spread;
        }
        return cluster.key().compareTo(other.cluster.key()) < 0;
    }
}
