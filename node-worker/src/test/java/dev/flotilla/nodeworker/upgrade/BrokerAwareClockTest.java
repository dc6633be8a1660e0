package dev.flotilla.nodeworker.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.runtime.process.ProcessClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Where a machine's clock is behind, the log's counts; where it is ahead, its own. */
class BrokerAwareClockTest {
    private static final long HOUR = 3_600_000;

    private long own = 10 * HOUR;
    private long ticks = 7;
    private final BrokerAwareClock clock = new BrokerAwareClock(new ProcessClock() {
        @Override
        public long wallMillis() {
            return own;
        }

        @Override
        public long monotonicNanos() {
            return TimeUnit.MILLISECONDS.toNanos(ticks);
        }
    });

    @Test
    void isNeverEarlierThanTheNewestRecord() {
        clock.observeAppendTime(11 * HOUR);
        clock.observeAppendTime(11 * HOUR - 60_000);
        assertThat(clock.wallMillis()).isEqualTo(11 * HOUR);
    }

    /** Guards and preconditions take seconds after the record that precedes a call; the lease may end during that time. */
    @Test
    void goesOnFromTheNewestRecord() {
        clock.observeAppendTime(11 * HOUR);
        pass(5_000);
        assertThat(clock.wallMillis()).isEqualTo(11 * HOUR + 5_000);
        clock.observeAppendTime(11 * HOUR + 4_000);
        assertThat(clock.wallMillis()).isEqualTo(11 * HOUR + 5_000);
    }

    @Test
    void oldRecordsSayNothing() {
        clock.observeAppendTime(9 * HOUR);
        pass(500);
        assertThat(clock.wallMillis()).isEqualTo(10 * HOUR + 500);
    }

    @Test
    void aCalendarThatIsSetAheadCounts() {
        clock.observeAppendTime(10 * HOUR);
        own += HOUR;
        assertThat(clock.wallMillis()).isEqualTo(11 * HOUR);
    }

    private void pass(long millis) {
        own += millis;
        ticks += millis;
    }
}
