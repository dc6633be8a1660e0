package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import org.jspecify.annotations.Nullable;

/** A wave of a campaign: what it is, its status row, and how its machines stand. */
public final class WaveCount {
    private final Wave wave;

    @Nullable
    WaveStatus status;

    private int total;
    private int remaining;
    private int atTarget;
    private int skipped;

    WaveCount(Wave wave) {
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
        return status != null && status.opened() != null;
    }

    public boolean isApproved() {
        return !wave.approval() || (status != null && status.approvedBy() != null);
    }

    public boolean isClosed() {
        return status != null && status.closed() != null;
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

    boolean selects(Cluster cluster) {
        ClusterRow row = cluster.row();
        return row != null
                && (wave.sites().isEmpty()
                        || wave.sites().contains(cluster.site().id()))
                && wave.clusters().matches(row.labels());
    }

    void count(Share share, int sign) {
        total += sign * share.total;
        remaining += sign * share.remaining;
        atTarget += sign * share.atTarget;
        skipped += sign * share.skipped;
    }

    void forgetCounts() {
        total = 0;
        remaining = 0;
        atTarget = 0;
        skipped = 0;
    }
}
