package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.Story.Row;
import org.junit.jupiter.api.Test;

/** Of two campaigns that want the same machines at different targets the later one waits, unless a person has approved. */
class OverlapTest {
    private final Story story = Story.watched();
    private final SmallFleet fleet = SmallFleet.in(story);

    @Test
    void findsAStartOfWhatTheEarlierCampaignHasStillToDoWith() {
        fleet.overlap();
        fleet.admit("cp");

        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).invariant()).isEqualTo(Invariant.GATES);
        assertThat(story.found.get(0).detail())
                .isEqualTo("berlin/fleet/cp started: a machine of a campaign that overlaps with the earlier c");
    }

    @Test
    void oneSharedMachineIsEnough() {
        for (String name : new String[] {"cp", "w1", "w2"}) {
            fleet.upgrade(name);
        }
        fleet.overlap();
        fleet.admit("cp");

        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).detail()).contains("overlaps with the earlier c");
    }

    @Test
    void findsNothingWrongOnceAPersonHasApproved() {
        fleet.overlap();
        fleet.approveOverlap();
        fleet.admit("cp");

        assertThat(story.found).isEmpty();
    }

    @Test
    void findsNothingWrongOnceTheEarlierCampaignHasDoneWithItsMachines() {
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        fleet.overlap();
        fleet.admit("cp");

        assertThat(story.found).isEmpty();
    }

    @Test
    void findsNothingWrongOnceTheEarlierCampaignIsAborted() {
        Row aborted = fleet.campaign("aborted", 5);
        fleet.overlap();
        story.decide("campaign-aborted", "", aborted);
        fleet.admit("cp");

        assertThat(story.found).isEmpty();
    }
}
