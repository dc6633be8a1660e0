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
 * @param usual how long half of its attempts took at most; null while too few have ended
 */
record Pace(int remaining, int inFlight, @Nullable Duration usual) {
    private static final int HALF = 50;

    static Pace of(CampaignRollout campaign) {
        DurationHistogram.BucketCounts all = DurationHistogram.BucketCounts.of();
        for (WaveProgress wave : campaign.waves()) {
            if (wave.status() != null) {
                for (DurationHistogram ofRole : wave.status().durations()) {
                    all = all.plus(ofRole.counts());
                }
            }
        }
        return new Pace(campaign.remaining(), campaign.inFlight(), DurationPercentiles.percentile(all, HALF));
    }

    /** When it is over if it goes on like this; null where that cannot be told. */
    @Nullable
    Instant ends(Instant now) {
        if (usual == null || inFlight == 0) {
            return null;
        }
        long rounds = ((long) remaining + inFlight - 1) / inFlight;
        return now.plus(usual.multipliedBy(rounds));
    }
}
