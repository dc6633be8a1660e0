package dev.flotilla.core.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often changes are polled, and how soon their ends are noticed. */
class ChangePollScheduleTest {
    private static final long SECOND = 1_000;
    private static final long INTERVAL = 5_000;
    private static final long LONGEST = 60 * SECOND;
    private static final int MACHINES = 2_000;

    private final ChangePollSchedule changePollSchedule = new ChangePollSchedule(INTERVAL, LONGEST);

    @Test
    void pollsAtIntervalsWithoutDurations() {
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(INTERVAL / 2);
        assertThat(changePollSchedule.nextDelay(39 * SECOND)).isEqualTo(INTERVAL / 2);
        assertThat(changePollSchedule.nextDelay(40 * SECOND)).isEqualTo(INTERVAL);
        assertThat(changePollSchedule.nextDelay(600 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void pollsOftenWhereTheFirstChangeEnded() {
        changePollSchedule.recordEnded(25 * SECOND);
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(INTERVAL);
        assertThat(changePollSchedule.nextDelay(17 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(changePollSchedule.nextDelay(20 * SECOND)).isEqualTo(SECOND);
        assertThat(changePollSchedule.nextDelay(25 * SECOND)).isEqualTo(SECOND);
        assertThat(changePollSchedule.nextDelay(26 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void pollsOftenWhereAllChangesEndAtAboutTheSameTime() {
        for (int i = 0; i < 100; i++) {
            changePollSchedule.recordEnded(60 * SECOND);
        }
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(59 * SECOND);
        assertThat(changePollSchedule.nextDelay(59 * SECOND)).isEqualTo(SECOND);
        assertThat(changePollSchedule.nextDelay(60 * SECOND)).isEqualTo(SECOND);
        assertThat(changePollSchedule.nextDelay(70 * SECOND)).isEqualTo(6 * SECOND);
    }

    @Test
    void doesNotPollBeforeTheFirstChangesUsuallyEnd() {
        hundredEnded();
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(98 * SECOND);
        assertThat(changePollSchedule.nextDelay(30 * SECOND)).isEqualTo(68 * SECOND);
        assertThat(changePollSchedule.nextDelay(96 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void pollsEarlyAfterRecentFailures() {
        hundredEnded();
        changePollSchedule.recordFailed();
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(INTERVAL);
        assertThat(changePollSchedule.nextDelay(5 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(changePollSchedule.nextDelay(15 * SECOND)).isEqualTo(30 * SECOND);
        assertThat(changePollSchedule.nextDelay(45 * SECOND)).isEqualTo(53 * SECOND);
        hundredEnded();
        hundredEnded();
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(98 * SECOND);
    }

    @Test
    void pollsALateChangeLessAndLessOften() {
        hundredEnded();
        assertThat(changePollSchedule.nextDelay(198 * SECOND)).isEqualTo(INTERVAL);
        assertThat(changePollSchedule.nextDelay(208 * SECOND)).isEqualTo(INTERVAL + SECOND);
        assertThat(changePollSchedule.nextDelay(398 * SECOND)).isEqualTo(25 * SECOND);
        assertThat(changePollSchedule.nextDelay(24 * 3_600 * SECOND)).isEqualTo(LONGEST);
    }

    @Test
    void doesNotTrustTheFirstOfManyChanges() {
        for (int i = 0; i < 20; i++) {
            changePollSchedule.recordEnded((100 + i) * SECOND);
        }
        assertThat(changePollSchedule.nextDelay(200 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void forgetsOldDurations() {
        for (int i = 0; i < 200; i++) {
            changePollSchedule.recordEnded(100 * SECOND);
        }
        for (int i = 0; i < 200; i++) {
            changePollSchedule.recordEnded(20 * SECOND);
        }
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(19 * SECOND);
    }

    private void hundredEnded() {
        for (int i = 0; i < 100; i++) {
            changePollSchedule.recordEnded((100 + i) * SECOND);
        }
    }

    /** Polls times the mean delay over the mean duration: any fixed interval makes it one half. */
    @ParameterizedTest(name = "spread {0}: at most {1}")
    @CsvSource({"0.25, 0.27", "0.1, 0.14"})
    void pollsLessOftenForTheSameDelayThanAnyFixedInterval(double spread, double most) {
        long[] durations = durations(spread);
        Arrays.stream(durations).limit(200).forEach(changePollSchedule::recordEnded);
        long questions = 0;
        long delays = 0;
        long worked = 0;
        for (int i = 200; i < durations.length; i++) {
            long at = 0;
            while (at < durations[i]) {
                at += changePollSchedule.nextDelay(at);
                questions++;
            }
            delays += at - durations[i];
            worked += durations[i];
        }
        double machines = durations.length - 200;
        double product = questions / machines * (delays / machines) / (worked / machines);
        assertThat(product).isLessThan(most);
    }

    private static long[] durations(double spread) {
        Random random = new Random(7);
        long[] durations = new long[MACHINES];
        for (int i = 0; i < durations.length; i++) {
            durations[i] = Math.round(180 * SECOND * StrictMath.exp(spread * random.nextGaussian()));
        }
        return durations;
    }

    @Test
    void tenDurationsDelayTheFirstPoll() {
        for (int i = 0; i < 9; i++) {
            changePollSchedule.recordEnded((100 + i) * SECOND);
        }
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(INTERVAL);
        changePollSchedule.recordEnded(109 * SECOND);
        assertThat(changePollSchedule.nextDelay(0)).isEqualTo(97_400);
    }

    @Test
    void doesNotPollTwiceInQuickSuccession() {
        hundredEnded();
        assertThat(changePollSchedule.nextDelay(90 * SECOND)).isEqualTo(8 * SECOND);
        assertThat(changePollSchedule.nextDelay(95_499)).isEqualTo(2_501);
        assertThat(changePollSchedule.nextDelay(95_500)).isEqualTo(INTERVAL);
    }
}
