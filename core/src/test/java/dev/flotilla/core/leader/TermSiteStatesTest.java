package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.leader.TermSiteStates.SiteStep;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a term does next about a site. */
class TermSiteStatesTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteHead HEAD = SiteHead.of(EAST);
    private static final SiteTopicProblem AWAY = SiteTopicProblem.temporaryProblem("no leader");
    private static final SiteTopicProblem LOST = new SiteTopicProblem("created again", List.of(Table.STATUS));

    private final TermSiteStates states = new TermSiteStates();

    @Test
    void readsANewSiteOnceAllItsTopicsExist() {
        assertThat(states.nextStep(EAST, null, AWAY, false)).isEqualTo(SiteStep.NOTHING);
        assertThat(states.nextStep(EAST, null, AWAY, true)).isEqualTo(SiteStep.SUSPEND);
        assertThat(states.nextStep(EAST, null, null, true)).isEqualTo(SiteStep.READ);
        states.markRead(EAST);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.NOTHING);
    }

    @Test
    void suspendsAKnownSiteThatHasLostAllTopics() {
        assertThat(states.nextStep(EAST, HEAD, AWAY, false)).isEqualTo(SiteStep.SUSPEND);
    }

    @Test
    void readsASuspendedSiteThatWasNeverReadBeforeItIsResumed() {
        states.suspendSite(EAST, AWAY);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.READ);
        states.markRead(EAST);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.RESUME);
        states.resumeSite(EAST);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.NOTHING);
    }

    @Test
    void resumesASiteThatAnEarlierLeaderHasSuspended() {
        states.markRead(EAST);
        states.keepSuspended(EAST);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.RESUME);
    }

    @Test
    void endsTheTermWhenWhatWasReadIsNoLongerThere() {
        states.markRead(EAST);
        assertThat(states.suspendSite(EAST, LOST)).isTrue();
        assertThat(states.suspendSite(EAST, LOST)).as("it is already").isFalse();
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.END_TERM);
    }

    @Test
    void readsASiteWhoseRecordsWereLostBeforeTheTerm() {
        states.suspendSite(EAST, LOST);
        assertThat(states.nextStep(EAST, HEAD, null, true)).isEqualTo(SiteStep.READ);
    }
}
