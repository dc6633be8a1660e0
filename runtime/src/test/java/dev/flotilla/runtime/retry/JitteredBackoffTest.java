package dev.flotilla.runtime.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
    private static final Duration FIRST = Duration.ofMillis(250);
    private static final Duration MAX = Duration.ofSeconds(30);

    /** Shortens no delay. */
    private static final RandomGenerator LONGEST = () -> 0;

    @Test
    void doublesWithEachFailureUpToTheMaximum() {
        JitteredBackoff backoff = JitteredBackoff.doubling(FIRST, MAX, LONGEST);
        assertThat(IntStream.rangeClosed(1, 9).mapToLong(backoff::delayMillis))
                .containsExactly(250L, 500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L);
        assertThat(backoff.delayMillis(Integer.MAX_VALUE)).isEqualTo(MAX.toMillis());
    }

    @Test
    void isBetweenHalfOfTheDelayAndTheDelay() {
        JitteredBackoff backoff = JitteredBackoff.doubling(FIRST, MAX, new Random(1));
        assertThat(delays(backoff, 3)).allSatisfy(delay -> assertThat(delay).isBetween(500L, 1_000L));
        assertThat(delays(backoff, 3))
                .as("uses the whole range")
                .anyMatch(d -> d < 600)
                .anyMatch(d -> d > 900);
    }

    @Test
    void twoProcessesDoNotRetryInStep() {
        assertThat(delays(JitteredBackoff.doubling(FIRST, MAX, new Random(1)), 5))
                .isNotEqualTo(delays(JitteredBackoff.doubling(FIRST, MAX, new Random(2)), 5));
        assertThat(delays(JitteredBackoff.doubling(FIRST, MAX, new Random(1)), 5))
                .as("the same seed gives the same delays")
                .isEqualTo(delays(JitteredBackoff.doubling(FIRST, MAX, new Random(1)), 5));
    }

    @Test
    void aConstantDelayDoesNotGrow() {
        JitteredBackoff backoff = JitteredBackoff.constant(Duration.ofMillis(500));
        assertThat(delays(backoff, 20)).allSatisfy(delay -> assertThat(delay).isBetween(250L, 500L));
        assertThat(backoff.delayMillis()).isBetween(250L, 500L);
    }

    @Test
    void rejectsDelaysThatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> JitteredBackoff.doubling(MAX, FIRST));
        assertThatIllegalArgumentException().isThrownBy(() -> JitteredBackoff.constant(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> JitteredBackoff.constant(Duration.ofHours(2)));
    }

    private static List<Long> delays(JitteredBackoff backoff, int failures) {
        return LongStream.range(0, 200)
                .map(each -> backoff.delayMillis(failures))
                .boxed()
                .toList();
    }
}
