package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CampaignEndEstimateTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    @Test
    void estimatesTheEndFromRoundsInFlight() {
        assertThat(new CampaignEndEstimate(true, 10, 4, Duration.ofMinutes(5)).estimateEnd(NOW))
                .isEqualTo(NOW.plusSeconds(15 * 60));
        assertThat(new CampaignEndEstimate(true, 10, 4, Duration.ofMinutes(5)).estimateTimeLeft())
                .isEqualTo(Duration.ofMinutes(15));
        assertThat(new CampaignEndEstimate(true, 4, 4, Duration.ofMinutes(5)).estimateEnd(NOW))
                .isEqualTo(NOW.plusSeconds(5 * 60));
    }

    @Test
    void hasNoEstimateWhenNothingRunsOrTooFewHaveEnded() {
        assertThat(new CampaignEndEstimate(true, 10, 0, Duration.ofMinutes(5)).estimateEnd(NOW))
                .isNull();
        assertThat(new CampaignEndEstimate(true, 10, 4, null).estimateEnd(NOW)).isNull();
        assertThat(new CampaignEndEstimate(false, 10, 4, Duration.ofMinutes(5)).estimateEnd(NOW))
                .isNull();
    }
}
