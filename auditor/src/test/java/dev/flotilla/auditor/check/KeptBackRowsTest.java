package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.Story.Row;
import org.junit.jupiter.api.Test;

/** Rows for a site that is set aside are kept back until it returns, and are lost with their leader. */
class KeptBackRowsTest {
    private final Story story = Story.watched();

    private static Row site(String removal) {
        return new Row(
                "flotilla.status.berlin", "site", "{\"site\":\"berlin\",\"acceptedRemoval\":\"" + removal + "\"}");
    }

    private static Row head(boolean aside) {
        return new Row(
                "flotilla.head",
                "berlin",
                "{\"site\":\"berlin\",\"inFlight\":0,\"offsets\":{}"
                        + (aside ? ",\"unreachableSince\":\"2026-01-05T00:00:00Z\"" : "") + "}");
    }

    @Test
    void aRowThatASiteThatIsAsideDoesNotShowIsNoViolation() {
        story.decide("site-unreachable", "its topics are gone", head(true));
        story.journal("order-applied", "", site("one"));
        story.over();
        assertThat(story.found).isEmpty();
        assertThat(story.audit.isSettled()).isTrue();
        assertThat(story.audit.findings().unverified()).isEmpty();
    }

    @Test
    void aRowThatIsDecidedRightBeforeItsSiteIsSetAsideIsKeptBackToo() {
        story.journal("order-applied", "", site("one"));
        story.decide("site-unreachable", "its topics are gone", head(true));
        story.over();
        assertThat(story.found).isEmpty();
    }

    @Test
    void theLeaderThatKeptARowBackHasToShowItWhenTheSiteReturns() {
        story.decide("site-unreachable", "its topics are gone", head(true));
        story.journal("order-applied", "", site("one"));
        story.over();
        story.decide("site-reachable", "", head(false));
        story.over();
        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).invariant()).isEqualTo(Invariant.ZOMBIE);
        assertThat(story.found.get(0).detail()).contains("does not show what decision 2 says it wrote");
    }

    @Test
    void anotherLeaderDoesNotHaveTheRowThatTheOneBeforeKeptBack() {
        story.decide("site-unreachable", "its topics are gone", head(true));
        story.journal("order-applied", "", site("one"));
        story.decide("took-over", "");
        story.decide("site-reachable", "", head(false));
        story.over();
        assertThat(story.found).isEmpty();
        assertThat(story.audit.isSettled()).isTrue();
        assertThat(story.audit.findings().unverified())
                .containsKey("rows that were lost with the leader that kept them back");
        story.journal("order-applied", "", site("two"));
        story.over();
        assertThat(story.found).as("a row of a site that is back").hasSize(1);
    }

    @Test
    void whatItShowsWhileItIsAsideIsStillCompared() {
        story.decide("site-unreachable", "its topics are gone", head(true));
        story.journal("order-applied", "", site("one"));
        story.write(site("another"), story.seq());
        story.over();
        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).detail()).contains("says something else at seq 2");
    }
}
