package dev.flotilla.core.fleet.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many machines in flight are expected to fail. */
class FailureBudgetEstimatorTest {
    @Test
    void noneInFlightMeansNoExpectedFailure() {
        assertThat(FailureBudgetEstimator.expectedFailures(0, 3, 10, 95)).isZero();
    }

    /** Wilson's interval for one failure in two hundred ends at 2.48 % at a confidence of 95 %, including the prior. */
    @ParameterizedTest
    @CsvSource({"1, 1", "40, 1", "41, 2", "80, 2", "81, 3"})
    void neverRoundsDown(long inFlight, long expected) {
        assertThat(FailureBudgetEstimator.upperFailureRate(1, 200, 95)).isEqualTo(24_797);
        assertThat(FailureBudgetEstimator.expectedFailures(inFlight, 1, 200, 95))
                .isEqualTo(expected);
    }

    @Test
    void expectsAtMostAllMachinesToFail() {
        assertThat(FailureBudgetEstimator.upperFailureRate(1_000, 1_000, 99)).isBetween(995_000L, 1_000_000L);
        assertThat(FailureBudgetEstimator.expectedFailures(7, 1_000, 1_000, 99)).isEqualTo(7);
    }

    @Test
    void aHigherConfidenceMeansMoreExpectedFailures() {
        for (int confidence = 51; confidence <= 99; confidence++) {
            assertThat(FailureBudgetEstimator.upperFailureRate(3, 100, confidence))
                    .isGreaterThan(FailureBudgetEstimator.upperFailureRate(3, 100, confidence - 1));
        }
    }
}
