package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A wave of a campaign: its definition, its status row, and its counts. */
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

    /** Its status row; null before the first decision about it. */
    public @Nullable WaveStatus status() {
        return status;
    }

    public boolean isOpen() {
        return status != null && status.openedAt() != null;
    }

    /** Whether it is open and needs no further approval after an edit. */
    public boolean isUnderWay() {
        return isOpen() && mayOpen();
    }

    /** Whether it needs no further approval before it opens. */
    public boolean mayOpen() {
        return !wave.needsApprovalBefore() || isApproved();
    }

    /** Whether it is approved. */
    public boolean isApproved() {
        return status != null && status.approvedBy() != null;
    }

    /** Its share of the clusters that it selects, in millionths; zero until it is fixed. */
    public int sharePartsPerMillion() {
        Integer bound = status == null ? null : status.sharePartsPerMillion();
        return bound == null ? 0 : bound;
    }

    /** Whether it has a size that is not fixed yet. */
    public boolean isShareUnset() {
        return wave.size() != null && (status == null || status.sharePartsPerMillion() == null);
    }

    /** The first wave whose size is not fixed; null for none. */
    public static @Nullable WaveProgress firstWithoutShare(List<WaveProgress> waves) {
        for (int i = 0; i < waves.size(); i++) {
            if (waves.get(i).isShareUnset()) {
                return waves.get(i);
            }
        }
        return null;
    }

    /**
     * When its soak after the last success ends; null without a soak or success. A paused campaign is not watched, so
     * the soak starts again when it resumes.
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

    /** Whether it awaits an approval after its end. */
    public boolean awaitsApproval() {
        return wave.needsApprovalAfter() && total > 0 && !isApproved();
    }

    public boolean isClosed() {
        return status != null && status.closedAt() != null;
    }

    /** The number of clusters with machines of it. */
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

    /** Machines that count for its success: all that were not skipped. */
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

    /** Adds or subtracts the counts of a cluster. */
    void count(BacklogCounts counts, int sign) {
        clusters += sign;
        total += sign * counts.total();
        remaining += sign * counts.remaining();
        atTarget += sign * counts.atTarget();
        skipped += sign * counts.skipped();
    }
}
