package dev.flotilla.orchestrator.api.answer;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.DurationPercentiles;
import dev.flotilla.core.fleet.WaveProgress;
import dev.flotilla.schemas.row.DurationHistogram;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How fast a campaign goes.
 *
 * @param medianDuration how long half of its attempts took at most; null while too few have ended
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

    /** When it is over if it goes on like this; null where that cannot be told. */
    @Nullable
    Instant estimateEnd(Instant now) {
        if (medianDuration == null || inFlight == 0) {
            return null;
        }
        long rounds = ((long) remaining + inFlight - 1) / inFlight;
        return now.plus(medianDuration.multipliedBy(rounds));
    }
}
