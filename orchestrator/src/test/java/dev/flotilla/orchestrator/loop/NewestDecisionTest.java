package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A number that somebody made up does not stop every leader. */
class NewestDecisionTest {
    private final NewestDecision newest = new NewestDecision();

    @Test
    void aNumberBeyondTheJournalsEndIsNotOurs() {
        newest.upTo(100);
        newest.wrote(90);
        newest.wrote(Long.MAX_VALUE);
        newest.wrote(500);
        newest.upTo(200);
        assertThat(newest.seq()).isEqualTo(90);
    }

    @Test
    void aRowThatIsReadBeforeItsHeadCountsOnceTheJournalShowsIt() {
        newest.upTo(100);
        newest.wrote(120);
        assertThat(newest.seq()).isZero();
        newest.upTo(130);
        assertThat(newest.seq()).isEqualTo(120);
    }
}
