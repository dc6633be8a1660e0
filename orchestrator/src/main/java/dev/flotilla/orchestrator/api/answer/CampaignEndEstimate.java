package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.WaveProgress;
import dev.flotilla.core.fleet.time.DurationPercentiles;
import dev.flotilla.schemas.row.DurationHistogram;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Estimates when a campaign ends from its present pace.
 *
 * @param medianDuration median duration of its attempts; null while too few have ended
 */
record CampaignEndEstimate(
        int remaining, int inFlight, @Nullable Duration medianDuration) {
    private static final int HALF = 50;

    static CampaignEndEstimate of(CampaignRollout campaign) {
        DurationHistogram.BucketCounts all = DurationHistogram.BucketCounts.of();
        for (WaveProgress wave : campaign.waves()) {
            if (wave.status() != null) {
                for (DurationHistogram ofRole : wave.status().durations()) {
                    all = all.plus(ofRole.counts());
                }
            }
        }
        return new CampaignEndEstimate(
                campaign.remaining(), campaign.inFlight(), DurationPercentiles.percentile(all, HALF));
    }

    /** The expected end at the present pace; null if unknown. */
    @Nullable
    Instant estimateEnd(Instant now) {
        if (medianDuration == null || inFlight == 0) {
            return null;
        }
        long rounds = ((long) remaining + inFlight - 1) / inFlight;
        return now.plus(medianDuration.multipliedBy(rounds));
    }
}
