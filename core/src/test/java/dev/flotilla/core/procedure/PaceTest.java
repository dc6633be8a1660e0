package dev.flotilla.core.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often nodes are asked for how their changes stand, and how soon their ends are noticed. */
class PaceTest {
    private static final long SECOND = 1_000;
    private static final long INTERVAL = 5_000;
    private static final long LONGEST = 60 * SECOND;
    private static final int MACHINES = 2_000;

    private final Pace pace = new Pace(INTERVAL, LONGEST);

    @Test
    void asksAtIntervalsWhileNothingIsKnown() {
        assertThat(pace.next(0)).isEqualTo(INTERVAL / 2);
        assertThat(pace.next(39 * SECOND)).isEqualTo(INTERVAL / 2);
        assertThat(pace.next(40 * SECOND)).isEqualTo(INTERVAL);
        assertThat(pace.next(600 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void asksOftenWhereTheFirstHasEnded() {
        pace.ended(25 * SECOND);
        assertThat(pace.next(0)).isEqualTo(INTERVAL);
        assertThat(pace.next(17 * SECOND)).isEqualTo(3 * SECOND);
        assertThat(pace.next(20 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.next(25 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.next(26 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void asksOftenWhereAllEndAtAboutTheSameTime() {
        for (int i = 0; i < 100; i++) {
            pace.ended(60 * SECOND);
        }
        assertThat(pace.next(0)).isEqualTo(59 * SECOND);
        assertThat(pace.next(59 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.next(60 * SECOND)).isEqualTo(SECOND);
        assertThat(pace.next(70 * SECOND)).isEqualTo(6 * SECOND);
    }

    @Test
    void doesNotAskBeforeSomeHaveEnded() {
        hundredEnded();
        assertThat(pace.next(0)).isEqualTo(98 * SECOND);
        assertThat(pace.next(30 * SECOND)).isEqualTo(68 * SECOND);
        assertThat(pace.next(96 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void asksEarlyWhereSomeHaveFailedLately() {
        hundredEnded();
        pace.failed();
        assertThat(pace.next(0)).isEqualTo(INTERVAL);
        assertThat(pace.next(5 * SECOND)).isEqualTo(10 * SECOND);
        assertThat(pace.next(15 * SECOND)).isEqualTo(30 * SECOND);
        assertThat(pace.next(45 * SECOND)).isEqualTo(53 * SECOND);
        hundredEnded();
        hundredEnded();
        assertThat(pace.next(0)).isEqualTo(98 * SECOND);
    }

    @Test
    void asksEverMoreRarelyForWhatIsLate() {
        hundredEnded();
        assertThat(pace.next(198 * SECOND)).isEqualTo(INTERVAL);
        assertThat(pace.next(208 * SECOND)).isEqualTo(INTERVAL + SECOND);
        assertThat(pace.next(398 * SECOND)).isEqualTo(25 * SECOND);
        assertThat(pace.next(24 * 3_600 * SECOND)).isEqualTo(LONGEST);
    }

    @Test
    void doesNotTakeTheFirstOfManyForAll() {
        for (int i = 0; i < 20; i++) {
            pace.ended((100 + i) * SECOND);
        }
        assertThat(pace.next(200 * SECOND)).isEqualTo(INTERVAL);
    }

    @Test
    void forgetsWhatWasLongAgo() {
        for (int i = 0; i < 200; i++) {
            pace.ended(100 * SECOND);
        }
        for (int i = 0; i < 200; i++) {
            pace.ended(20 * SECOND);
        }
        assertThat(pace.next(0)).isEqualTo(19 * SECOND);
    }

    private void hundredEnded() {
        for (int i = 0; i < 100; i++) {
            pace.ended((100 + i) * SECOND);
        }
    }

    /** Questions times the mean delay over the mean duration: any fixed interval makes it one half. */
    @ParameterizedTest(name = "spread {0}: at most {1}")
    @CsvSource({"0.25, 0.27", "0.1, 0.14"})
    void asksLessOftenForTheSameDelayThanAnyFixedInterval(double spread, double most) {
        long[] durations = durations(spread);
        Arrays.stream(durations).limit(200).forEach(pace::ended);
        long questions = 0;
        long delays = 0;
        long worked = 0;
        for (int i = 200; i < durations.length; i++) {
            long at = 0;
            while (at < durations[i]) {
                at += pace.next(at);
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
    void tenThatHaveEndedSayWhenNobodyEnds() {
        for (int i = 0; i < 9; i++) {
            pace.ended((100 + i) * SECOND);
        }
        assertThat(pace.next(0)).isEqualTo(INTERVAL);
        pace.ended(109 * SECOND);
        assertThat(pace.next(0)).isEqualTo(97_400);
    }

    @Test
    void whoIsNearlyThereDoesNotAskTwiceInAMoment() {
        hundredEnded();
        assertThat(pace.next(90 * SECOND)).isEqualTo(8 * SECOND);
        assertThat(pace.next(95_499)).isEqualTo(2_501);
        assertThat(pace.next(95_500)).isEqualTo(INTERVAL);
    }
}
