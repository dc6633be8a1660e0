package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long TENTH = Duration.ofMillis(100).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now;
    private final Pace pace = new Pace(10, () -> now);

    @Test
    void aFewMayGoAtOnceAndThenSoManyASecond() {
        for (int i = 0; i < 10; i++) {
            assertThat(pace.take()).isZero();
        }
        assertThat(pace.take()).isEqualTo(TENTH);
        assertThat(pace.take()).isEqualTo(2 * TENTH);
        now += SECOND;
        assertThat(pace.take()).isZero();
    }

    @Test
    void aLongQuietTimeSavesUpNoMoreThanASecond() {
        now += 3_600 * SECOND;
        for (int i = 0; i < 10; i++) {
            assertThat(pace.take()).isZero();
        }
        assertThat(pace.take()).isEqualTo(TENTH);
    }

    @Test
    void aPauseIsForEverybody() {
        pace.pause(7);
        assertThat(pace.take()).isEqualTo(7 * SECOND + TENTH);
        assertThat(pace.take()).isEqualTo(7 * SECOND + 2 * TENTH);
    }

    @Test
    void aShorterPauseDoesNotEndALongerOne() {
        pace.pause(7);
        pace.pause(1);
        assertThat(pace.take()).isEqualTo(7 * SECOND + TENTH);
    }
}
