package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.HeapEntry;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.id.CampaignName;
import org.jspecify.annotations.Nullable;

/** A rollout's work in one cluster, and the machine that it may start there next. */
public final class ClusterBacklog extends HeapEntry<ClusterBacklog> {
    private static final long LONGEST = (1 << 24) - 1;
    private static final int RANK_SHIFT = 56;
    private static final int NO_MACHINE = -1;

    private final Rollout rollout;
    private final ClusterState cluster;
    private BacklogCounts counts = BacklogCounts.NONE;
    private @Nullable KeyedCountPairs cohortCounts;
    private @Nullable KeyedCountPairs domainCounts;
    private @Nullable CampaignName overlappingCampaign;
    private int wave;
    private int remainingChain;
    private int candidate = NO_MACHINE;
    private int rank;
    private @Nullable SiteStartQueue startQueue;

    public ClusterBacklog(Rollout rollout, ClusterState cluster) {
        this.rollout = rollout;
        this.cluster = cluster;
    }

    public Rollout rollout() {
        return rollout;
    }

    public ClusterState cluster() {
        return cluster;
    }

    /** Replaces the counts and the wave. */
    public void recount(BacklogCounts now, int waveNow) {
        counts = now;
        wave = waveNow;
        remainingChain = now.chain(rollout.rules().maxUnavailableIn(cluster));
    }

    public BacklogCounts counts() {
        return counts;
    }

    /** Outcomes of its machines by cohort; null if its campaign has no cohort rule or no machine has ended. */
    public @Nullable KeyedCountPairs cohortCounts() {
        return cohortCounts;
    }

    public void cohortCounts(@Nullable KeyedCountPairs now) {
        cohortCounts = now;
    }

    /** Its machines by capped label value; null if its campaign caps none. */
    public @Nullable KeyedCountPairs domainCounts() {
        return domainCounts;
    }

    public void domainCounts(@Nullable KeyedCountPairs now) {
        domainCounts = now;
    }

    /** The earlier campaign that still has to upgrade machines of the cluster to another target; null for none. */
    public @Nullable CampaignName overlappingCampaign() {
        return overlappingCampaign;
    }

    public void overlappingCampaign(@Nullable CampaignName now) {
        overlappingCampaign = now;
    }

    /** The machine that may start next as far as the cluster's rows tell. */
    public int candidate() {
        return candidate;
    }

    public void chooseCandidate(int machine, int rankNow) {
        candidate = machine;
        rank = rankNow;
    }

    public void chooseNoCandidate() {
        candidate = NO_MACHINE;
    }

    @Nullable
    SiteStartQueue startQueue() {
        return startQueue;
    }

    void startQueue(@Nullable SiteStartQueue now) {
        startQueue = now;
    }

    /** Whether the rollout has no members and nothing of deleted machines in the cluster. */
    public boolean isEmpty() {
        return counts.total() == 0 && counts.budgetUsed() == 0 && counts.inFlight() == 0;
    }

    /** Machines of the cluster that are in the rollout. */
    public int total() {
        return counts.total();
    }

    public int quarantined() {
        return counts.quarantined();
    }

    public int skipped() {
        return counts.skipped();
    }

    /** The oldest version of the cluster's control-plane machines that are not at the target; unknown for none. */
    public int oldestControlPlane() {
        return counts.oldestControlPlane();
    }

    /** The oldest version of the cluster's workers; unknown for none. */
    public int oldestWorker() {
        return counts.oldestWorker();
    }

    /** The newest version of the cluster's workers that are not at the target; unknown for none. */
    public int newestWorker() {
        return counts.newestWorker();
    }

    /** Control-plane machines that have not ended. */
    public int controlPlaneLeft() {
        return counts.controlPlaneLeft();
    }

    /**
     * Control-plane machines that have not failed and are not in flight: the budget must cover them before the first
     * one starts.
     */
    public int controlPlaneUntried() {
        return counts.controlPlaneUntried();
    }

    public boolean controlPlaneQuarantined() {
        return counts.controlPlaneQuarantined();
    }

    /** Whether the control plane is half upgraded: started and not finished. */
    public boolean isControlPlaneHalfUpgraded() {
        return counts.isControlPlaneHalfUpgraded();
    }

    /** The number of the cluster's wave. */
    public int wave() {
        return wave;
    }

    /** Order: rest of a half-upgraded control plane, retries, longest chain, then the hash of the name. */
    @Override
    public long priority() {
        return priority(rank, remainingChain, cluster.spread());
    }

    static long priority(int rank, int remainingChain, long spread) {
        long shorter = LONGEST - Math.min(remainingChain, LONGEST);
        return (long) rank << RANK_SHIFT | shorter << Integer.SIZE | (spread ^ Long.MIN_VALUE) >>> Integer.SIZE;
    }

    @Override
    public boolean goesBefore(ClusterBacklog other) {
        if (cluster.spread() != other.cluster.spread()) {
            return cluster.spread() < other.cluster.spread();
        }
        return cluster.key().compareTo(other.cluster.key()) < 0;
    }
}
