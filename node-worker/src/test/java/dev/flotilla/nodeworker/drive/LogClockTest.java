package dev.flotilla.nodeworker.drive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where a machine's clock is behind, the log's counts; where it is ahead, its own. */
class LogClockTest {
    private static final long HOUR = 3_600_000;

    private long own = 10 * HOUR;
    private long ticks = 7;
    private final LogClock clock = new LogClock(new WorkerTime() {
        @Override
        public long clock() {
            return own;
        }

        @Override
        public long ticks() {
            return ticks;
        }
    });

    @Test
    void isNeverEarlierThanTheNewestRecord() {
        clock.appended(11 * HOUR);
        clock.appended(11 * HOUR - 60_000);
        assertThat(clock.clock()).isEqualTo(11 * HOUR);
    }

    /** Guards and judgement take seconds after the record that precedes a call: a command may end meanwhile. */
    @Test
    void goesOnFromTheNewestRecord() {
        clock.appended(11 * HOUR);
        pass(5_000);
        assertThat(clock.clock()).isEqualTo(11 * HOUR + 5_000);
        clock.appended(11 * HOUR + 4_000);
        assertThat(clock.clock()).isEqualTo(11 * HOUR + 5_000);
    }

    @Test
    void oldRecordsSayNothing() {
        clock.appended(9 * HOUR);
        pass(500);
        assertThat(clock.clock()).isEqualTo(10 * HOUR + 500);
    }

    @Test
    void aCalendarThatIsSetAheadCounts() {
        clock.appended(10 * HOUR);
        own += HOUR;
        assertThat(clock.clock()).isEqualTo(11 * HOUR);
    }

    private void pass(long millis) {
        own += millis;
        ticks += millis;
    }
}
