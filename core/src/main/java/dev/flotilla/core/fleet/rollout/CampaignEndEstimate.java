package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.DurationHistogram;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when a campaign ends from its present pace: the present number in flight, each for the median duration.
 *
 * @param isUnderWay whether the campaign runs and has machines that have not ended: no end is expected of another one, although it may have
 *     machines in flight
 * @param medianDuration median duration of its attempts; null while too few have ended
 */
public record CampaignEndEstimate(
        boolean isUnderWay,
        int remaining,
        int inFlight,
        @Nullable Duration medianDuration) {
    private static final int HALF = 50;

    public static CampaignEndEstimate of(CampaignRollout campaign) {
        DurationHistogram.BucketCounts all = DurationHistogram.BucketCounts.of();
        for (WaveProgress wave : campaign.waves()) {
            if (wave.status() != null) {
                for (DurationHistogram ofRole : wave.status().durations()) {
                    all = all.plus(ofRole.counts());
                }
            }
        }
        return new CampaignEndEstimate(
                campaign.status().state() == CampaignState.RUNNING && campaign.remaining() > 0,
                campaign.remaining(),
                campaign.inFlight(),
                DurationPercentiles.percentile(all, HALF));
    }

    /** The time left at the present pace; null if unknown. */
    public @Nullable Duration estimateTimeLeft() {
        if (!isUnderWay || medianDuration == null || inFlight == 0) {
            return null;
        }
        long rounds = ((long) remaining + inFlight - 1) / inFlight;
        return medianDuration.multipliedBy(rounds);
    }

    /** The expected end at the present pace; null if unknown. */
    public @Nullable Instant estimateEnd(Instant now) {
        Duration left = estimateTimeLeft();
        return left == null ? null : now.plus(left);
    }
}
