package dev.flotilla.orchestrator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.follow.ManualLoopClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests that the leader's clock never goes back, and follows the wall clock after its host was suspended. */
class LeaderTermClockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration APART = Duration.ofSeconds(5);

    private final ManualLoopClock time = new ManualLoopClock();
    /** How far the broker's clock is ahead of the wall clock. */
    private Duration broker = Duration.ZERO;

    private final LeaderTermClock clock = new LeaderTermClock(time, Instant.EPOCH);

    @Test
    void followsAWallClockThatIsAheadForAMinute() {
        for (int night = 0; night < 5; night++) {
            time.advanceWallClock(Duration.ofMillis(1_100));
            passSeconds(70);
        }
        assertThat(clock.machineTime()).isEqualTo(time.wallMillis());
    }

    @Test
    void doesNotFollowAShortLeadOfTheWallClock() {
        long before = clock.machineTime();
        time.advanceWallClock(Duration.ofHours(1));
        passSeconds(30);
        time.advanceWallClock(Duration.ofHours(-1));
        passSeconds(70);
        assertThat(clock.machineTime() - before).isEqualTo(100_000);
    }

    @Test
    void neverGoesBack() {
        time.advanceWallClock(Duration.ofMinutes(10));
        passSeconds(70);
        Instant ahead = clock.now();
        time.advanceWallClock(Duration.ofMinutes(-20));
        passSeconds(300);
        assertThat(clock.now()).isAfterOrEqualTo(ahead);
        assertThat(clock.machineTime()).isEqualTo(ahead.toEpochMilli() + 300_000);
    }

    @Test
    void ignoresStepsOfTimeSynchronisation() {
        long before = clock.machineTime();
        time.advanceWallClock(Duration.ofMillis(900));
        passSeconds(120);
        assertThat(clock.machineTime() - before).isEqualTo(120_000);
    }

    @Test
    void aSlowCommitIsNotAClockDifference() {
        Instant sent = Instant.parse("2026-03-01T00:00:00Z");
        Instant committed = sent.plusSeconds(9);
        assertThat(LeaderTermClock.isClockInSync(sent, sent.toEpochMilli(), committed, APART))
                .isTrue();
        assertThat(LeaderTermClock.isClockInSync(sent, committed.toEpochMilli(), committed, APART))
                .isTrue();
        assertThat(LeaderTermClock.isClockInSync(sent, sent.toEpochMilli() - 5_001, committed, APART))
                .isFalse();
        assertThat(LeaderTermClock.isClockInSync(sent, committed.toEpochMilli() + 5_001, committed, APART))
                .isFalse();
    }

    @Test
    void doesNotFollowAWallClockThatDiffersFromTheBrokers() {
        long before = clock.machineTime();
        time.advanceWallClock(Duration.ofHours(1));
        broker = broker.minusHours(1);
        passSeconds(300);
        assertThat(clock.machineTime() - before).isEqualTo(300_000);
        assertThat(clock.isAheadForWholeTerm()).isFalse();
    }

    @Test
    void doesNotFollowBeforeTheFirstAppend() {
        long before = clock.machineTime();
        time.advanceWallClock(Duration.ofHours(1));
        for (int i = 0; i < 120; i++) {
            clock.readCalendar();
            time.advance(SECOND);
        }
        assertThat(clock.machineTime() - before).isEqualTo(120_000);
    }

    @Test
    void isAheadForTheTermWhenTheWallClockIsSetBackAnHour() {
        broker = Duration.ofHours(-1);
        passSeconds(120);
        assertThat(clock.isAheadForWholeTerm()).as("the calendar is as it was").isFalse();
        time.advanceWallClock(Duration.ofHours(-1));
        broker = Duration.ZERO;
        passSeconds(30);
        assertThat(clock.isAheadForWholeTerm()).as("for a moment").isFalse();
        passSeconds(40);
        assertThat(clock.isAheadForWholeTerm()).isTrue();
    }

    @Test
    void isNotAheadWhenTheWallClockIsSetWrong() {
        time.advanceWallClock(Duration.ofHours(-1));
        broker = Duration.ofHours(1);
        passSeconds(300);
        assertThat(clock.isAheadForWholeTerm()).isFalse();
    }

    /** Passes time while the broker appends a record each second. */
    private void passSeconds(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.observeAppendTime(time.wallMillis() + broker.toMillis());
            clock.readCalendar();
            time.advance(SECOND);
        }
        clock.readCalendar();
    }
}
