package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.column.HeapEntry;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.id.CampaignName;
import org.jspecify.annotations.Nullable;

/** What a rollout has to do in one cluster, and the machine that it may start there next. */
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

    /** Replaces the counts by new ones; the cluster is in this wave now. */
    public void recount(BacklogCounts now, int waveNow) {
        counts = now;
        wave = waveNow;
        remainingChain = now.chain(rollout.rules().maxUnavailable().of(Math.max(1, cluster.workers())));
    }

    public BacklogCounts counts() {
        return counts;
    }

    /** How its machines have fared by cohort; null where its campaign does not tell cohorts apart or none has ended. */
    public @Nullable KeyedCountPairs cohortCounts() {
        return cohortCounts;
    }

    public void cohortCounts(@Nullable KeyedCountPairs now) {
        cohortCounts = now;
    }

    /** How many of its machines have each label that its campaign caps; null where it caps none. */
    public @Nullable KeyedCountPairs domainCounts() {
        return domainCounts;
    }

    public void domainCounts(@Nullable KeyedCountPairs now) {
        domainCounts = now;
    }

    /** The earlier campaign that still has to upgrade machines of the cluster which this one wants elsewhere; null for none. */
    public @Nullable CampaignName overlappingCampaign() {
        return overlappingCampaign;
    }

    public void overlappingCampaign(@Nullable CampaignName now) {
        overlappingCampaign = now;
    }

    /** The machine that may start next as far as its cluster knows. */
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

    /** Whether the rollout has nothing to do with the cluster: no member, and nothing of deleted machines. */
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

    /** The oldest version that a control-plane machine shows which is not at this target, in the cluster; unknown for none. */
    public int oldestControlPlane() {
        return counts.oldestControlPlane();
    }

    /** The oldest version that a worker of the cluster shows; unknown for none. */
    public int oldestWorker() {
        return counts.oldestWorker();
    }

    /** The newest version that a worker of the cluster shows which is not at this target; unknown for none. */
    public int newestWorker() {
        return counts.newestWorker();
    }

    /** Control-plane machines that have not ended. */
    public int controlPlaneLeft() {
        return counts.controlPlaneLeft();
    }

    /** Of these, the ones that have not failed and are not in flight: what a budget must allow before the first starts. */
    public int controlPlaneUntried() {
        return counts.controlPlaneUntried();
    }

    public boolean controlPlaneQuarantined() {
        return counts.controlPlaneQuarantined();
    }

    /** Whether the control plane has been started and is not done: it must not be left like that. */
    public boolean halfDone() {
        return counts.halfDone();
    }

    /** The number of the wave the cluster is in. */
    public int wave() {
        return wave;
    }

    /** Rest of a control plane, retry, longest chain, then as the names are spread. */
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
