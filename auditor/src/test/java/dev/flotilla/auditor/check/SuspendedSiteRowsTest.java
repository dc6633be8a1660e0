package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** Tests that rows of a suspended site are withheld until it is resumed, and are lost with their leader. */
class SuspendedSiteRowsTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();

    private static TopicRow site(String removal) {
        return new TopicRow(
                "flotilla.status.berlin", "site", "{\"site\":\"berlin\",\"acceptedRemovalOrder\":\"" + removal + "\"}");
    }

    private static TopicRow head(boolean aside) {
        return new TopicRow(
                "flotilla.head",
                "berlin",
                "{\"site\":\"berlin\",\"inFlight\":0,\"offsets\":{}"
                        + (aside ? ",\"unreachableSince\":\"2026-01-05T00:00:00Z\"" : "") + "}");
    }

    @Test
    void aWithheldRowOfASuspendedSiteIsNoViolation() {
        testTopicRecords.decide("site-unreachable", "its topics are gone", head(true));
        testTopicRecords.journal("order-applied", "", site("one"));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.isComplete()).isTrue();
        assertThat(testTopicRecords.audit.findings().unverified()).isEmpty();
    }

    @Test
    void aRowDecidedJustBeforeTheSuspensionMayBeWithheld() {
        testTopicRecords.journal("order-applied", "", site("one"));
        testTopicRecords.decide("site-unreachable", "its topics are gone", head(true));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void theLeaderMustWriteAWithheldRowAfterTheSiteIsResumed() {
        testTopicRecords.decide("site-unreachable", "its topics are gone", head(true));
        testTopicRecords.journal("order-applied", "", site("one"));
        testTopicRecords.over();
        testTopicRecords.decide("site-reachable", "", head(false));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(AuditInvariant.ZOMBIE);
        assertThat(testTopicRecords.found.get(0).detail()).contains("does not show the row that decision 2 wrote");
    }

    @Test
    void anotherLeaderNeedNotWriteAWithheldRow() {
        testTopicRecords.decide("site-unreachable", "its topics are gone", head(true));
        testTopicRecords.journal("order-applied", "", site("one"));
        testTopicRecords.decide("leader-elected", "");
        testTopicRecords.decide("site-reachable", "", head(false));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.isComplete()).isTrue();
        assertThat(testTopicRecords.audit.findings().unverified())
                .containsKey("withheld rows that were lost with their leader");
        testTopicRecords.journal("order-applied", "", site("two"));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).as("a row of a site that is back").hasSize(1);
    }

    @Test
    void comparesRowsOfASuspendedSite() {
        testTopicRecords.decide("site-unreachable", "its topics are gone", head(true));
        testTopicRecords.journal("order-applied", "", site("one"));
        testTopicRecords.write(site("another"), testTopicRecords.seq());
        testTopicRecords.over();
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).detail()).contains("differs at decision 2");
    }
}
