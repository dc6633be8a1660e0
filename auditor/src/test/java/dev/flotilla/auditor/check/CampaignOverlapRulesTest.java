package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/**
 * Tests that the later of two campaigns with different targets for the same machines waits, unless the overlap is
 * approved.
 */
class CampaignOverlapRulesTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    @Test
    void findsAStartOfAMachineThatAnEarlierCampaignTargets() {
        fleet.overlap();
        fleet.admit("cp");

        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(AuditInvariant.GATES);
        assertThat(testTopicRecords.found.get(0).detail())
                .isEqualTo("berlin/fleet/cp started: a machine of a campaign that overlaps with the earlier c");
    }

    @Test
    void oneCommonMachineIsAnOverlap() {
        for (String name : new String[] {"cp", "w1", "w2"}) {
            fleet.upgrade(name);
        }
        fleet.overlap();
        fleet.admit("cp");

        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).detail()).contains("overlaps with the earlier c");
    }

    @Test
    void acceptsAStartAfterTheOverlapIsApproved() {
        fleet.overlap();
        fleet.approveOverlap();
        fleet.admit("cp");

        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsAStartAfterTheEarlierCampaignEnded() {
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        fleet.overlap();
        fleet.admit("cp");

        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void acceptsAStartAfterTheEarlierCampaignWasAborted() {
        TopicRow aborted = fleet.campaign("aborted", 5);
        fleet.overlap();
        testTopicRecords.decide("campaign-aborted", "", aborted);
        fleet.admit("cp");

        assertThat(testTopicRecords.found).isEmpty();
    }
}
