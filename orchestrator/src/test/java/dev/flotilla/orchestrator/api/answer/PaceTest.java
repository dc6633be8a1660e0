package dev.flotilla.orchestrator.api.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Instant NOW = Instant.parse("2026-03-01T00:00:00Z");

    @Test
    void countsRoundsOfWhatIsInFlight() {
        assertThat(new Pace(10, 4, Duration.ofMinutes(5)).ends(NOW)).isEqualTo(NOW.plusSeconds(15 * 60));
        assertThat(new Pace(4, 4, Duration.ofMinutes(5)).ends(NOW)).isEqualTo(NOW.plusSeconds(5 * 60));
    }

    @Test
    void guessesNothingWhereNothingRunsOrTooLittleIsKnown() {
        assertThat(new Pace(10, 0, Duration.ofMinutes(5)).ends(NOW)).isNull();
        assertThat(new Pace(10, 4, null).ends(NOW)).isNull();
    }
}
