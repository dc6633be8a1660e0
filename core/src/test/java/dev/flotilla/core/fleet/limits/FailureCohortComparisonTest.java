package dev.flotilla.core.fleet.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of two failure cohorts is to blame. */
class FailureCohortComparisonTest {
    @ParameterizedTest(name = "{0} of {1} against {2} of {3}")
    @CsvSource({
        "3, 6, 2, 6, true",
        "2, 6, 3, 6, false",
        "2, 4, 3, 6, false",
        "3, 6, 2, 4, true",
        "3, 6, 3, 6, false",
        "1, 2, 3, 7, true",
        "3, 7, 1, 2, false"
    })
    void prefersTheHigherRateAndThenMoreFailures(
            int failed, int ended, int othersFailed, int othersEnded, boolean worse) {
        FailureCohort other = new FailureCohort("revision", "7", othersFailed, othersEnded);
        assertThat(new FailureCohort("site", "north", failed, ended).isWorseThan(other))
                .isEqualTo(worse);
    }

    @ParameterizedTest
    @CsvSource({"site, north, true", "site, south, false", "revision, north, false"})
    void equalityIgnoresTheCounts(String by, String value, boolean alike) {
        FailureCohort north = new FailureCohort("site", "north", 1, 2);
        assertThat(north.isSameAs(new FailureCohort(by, value, 5, 9))).isEqualTo(alike);
    }
}
