package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests that a decision number written by another client does not stop the leaders. */
class NewestDecisionTrackerTest {
    private final NewestDecisionTracker newest = new NewestDecisionTracker();

    @Test
    void ignoresANumberBeyondTheJournalsEnd() {
        newest.raiseLimit(100);
        newest.observeSeq(90);
        newest.observeSeq(Long.MAX_VALUE);
        newest.observeSeq(500);
        newest.raiseLimit(200);
        assertThat(newest.seq()).isEqualTo(90);
    }

    @Test
    void countsARowReadBeforeItsHeadRow() {
        newest.raiseLimit(100);
        newest.observeSeq(120);
        assertThat(newest.seq()).isZero();
        newest.raiseLimit(130);
        assertThat(newest.seq()).isEqualTo(120);
    }
}
