package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A wave of a campaign: what it is, its status row, and how its machines stand. */
public final class WaveProgress {
    private final Wave wave;

    @Nullable
    WaveStatus status;

    private int clusters;
    private int total;
    private int remaining;
    private int atTarget;
    private int skipped;

    WaveProgress(Wave wave) {
        this.wave = wave;
    }

    public Wave wave() {
        return wave;
    }

    /** Its status row; null while nothing has been decided about it. */
    public @Nullable WaveStatus status() {
        return status;
    }

    public boolean isOpen() {
        return status != null && status.openedAt() != null;
    }

    /** Whether it has begun, and nobody has to let it begin again since an edit. */
    public boolean isUnderWay() {
        return isOpen() && mayOpen();
    }

    /** Whether nobody has to let it begin any more. */
    public boolean mayOpen() {
        return !wave.needsApprovalBefore() || isApproved();
    }

    /** Whether somebody has approved of it. */
    public boolean isApproved() {
        return status != null && status.approvedBy() != null;
    }

    /** How many millionths of what it selects it takes; zero while that is not settled. */
    public int sharePartsPerMillion() {
        Integer bound = status == null ? null : status.sharePartsPerMillion();
        return bound == null ? 0 : bound;
    }

    /** Whether it takes a share of what it selects, and nobody has settled yet how much that is. */
    public boolean isShareUnset() {
        return wave.size() != null && (status == null || status.sharePartsPerMillion() == null);
    }

    /** The first of some waves that {@link #isShareUnset}; null where all is settled. */
    public static @Nullable WaveProgress firstWithoutShare(List<WaveProgress> waves) {
        for (int i = 0; i < waves.size(); i++) {
            if (waves.get(i).isShareUnset()) {
                return waves.get(i);
            }
        }
        return null;
    }

    /**
     * When it has soaked for long enough after its last success; null where it has not to, or there was none. While its campaign
     * is paused nobody need look at it, so the soak begins anew when the campaign goes on.
     */
    public @Nullable Instant soakEndsAt(CampaignStatus campaign) {
        Instant last = status == null || wave.soak().isZero() ? null : status.lastSuccessAt();
        if (last == null) {
            return null;
        }
        return (last.isBefore(campaign.stateSince()) ? campaign.stateSince() : last).plus(wave.soak());
    }

    public boolean isSoaking(CampaignStatus campaign, Instant now) {
        Instant end = soakEndsAt(campaign);
        return end != null && now.isBefore(end);
    }

    /** Whether a person has still to look at what came of it. */
    public boolean awaitsApproval() {
        return wave.needsApprovalAfter() && total > 0 && !isApproved();
    }

    public boolean isClosed() {
        return status != null && status.closedAt() != null;
    }

    /** How many clusters it has machines in. */
    public int clusters() {
        return clusters;
    }

    public int total() {
        return total;
    }

    public int remaining() {
        return remaining;
    }

    public int atTarget() {
        return atTarget;
    }

    /** Machines whose success the wave counts on: all that were not skipped. */
    public int counted() {
        return total - skipped;
    }

    /** Whether enough of its machines are at the target. */
    public boolean hasSucceeded() {
        return (long) atTarget * 100 >= (long) wave.successPercent() * counted();
    }

    boolean selects(ClusterState cluster) {
        ClusterRow row = cluster.row();
        return row != null
                && (wave.sites().isEmpty()
                        || wave.sites().contains(cluster.site().id()))
                && wave.clusters().matches(row.labels());
    }

    /** Takes in, or out, a share with machines. */
    void count(BacklogCounts counts, int sign) {
        clusters += sign;
        total += sign * counts.total();
        remaining += sign * counts.remaining();
        atTarget += sign * counts.atTarget();
        skipped += sign * counts.skipped();
    }
}
