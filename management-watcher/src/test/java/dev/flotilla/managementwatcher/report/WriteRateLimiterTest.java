package dev.flotilla.managementwatcher.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteRateLimiterTest {
    private static final long TENTH = Duration.ofMillis(100).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private long now;
    private final WriteRateLimiter writeRateLimiter = new WriteRateLimiter(10, () -> now);

    @Test
    void allowsABurstAndThenTheRate() {
        for (int i = 0; i < 10; i++) {
            assertThat(writeRateLimiter.acquirePermit()).isZero();
        }
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(TENTH);
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(2 * TENTH);
        now += SECOND;
        assertThat(writeRateLimiter.acquirePermit()).isZero();
    }

    @Test
    void quietTimeAllowsABurstOfAtMostOneSecond() {
        now += 3_600 * SECOND;
        for (int i = 0; i < 10; i++) {
            assertThat(writeRateLimiter.acquirePermit()).isZero();
        }
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(TENTH);
    }

    @Test
    void pauseHoldsForAllWrites() {
        writeRateLimiter.pauseWrites(7);
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(7 * SECOND + TENTH);
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(7 * SECOND + 2 * TENTH);
    }

    @Test
    void shorterPauseDoesNotEndALongerOne() {
        writeRateLimiter.pauseWrites(7);
        writeRateLimiter.pauseWrites(1);
        assertThat(writeRateLimiter.acquirePermit()).isEqualTo(7 * SECOND + TENTH);
    }
}
