package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A number that somebody made up does not stop every leader. */
class NewestDecisionTrackerTest {
    private final NewestDecisionTracker newest = new NewestDecisionTracker();

    @Test
    void aNumberBeyondTheJournalsEndIsNotOurs() {
        newest.raiseLimit(100);
        newest.observeSeq(90);
        newest.observeSeq(Long.MAX_VALUE);
        newest.observeSeq(500);
        newest.raiseLimit(200);
        assertThat(newest.seq()).isEqualTo(90);
    }

    @Test
    void aRowThatIsReadBeforeItsHeadCountsOnceTheJournalShowsIt() {
        newest.raiseLimit(100);
        newest.observeSeq(120);
        assertThat(newest.seq()).isZero();
        newest.raiseLimit(130);
        assertThat(newest.seq()).isEqualTo(120);
    }
}
