package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.e2e.arena.BrokerContainer;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.sites.SitesSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A fleet whose Kafka is in a container, which dies in the middle of a campaign. Runs only in the profile {@code containers}. */
@Tag("containers")
@EnabledIf(value = "dockerIsThere", disabledReason = "there is no container engine on this machine")
class KafkaContainerIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 30, 300, 0, 1, 100);
    private static final int CAP = 20;

    @TempDir
    private Path folder;

    static boolean dockerIsThere() {
        return BrokerContainer.engineIsThere();
    }

    @Test
    void campaignContinuesWhenTheContainerIsKilledAndStartedAgain() throws Exception {
        TestCampaign campaign = new TestCampaign(1);
        try (BrokerContainer broker = BrokerContainer.start(folder);
                FleetTestBed fleet = FleetTestBed.openOn("kafka-container", broker.bootstrap(), SPEC, CAP)) {
            JournalFollower journal = fleet.journal();
            fleet.startOrchestrator();
            fleet.startOrchestrator();
            fleet.awaitKnown();
            fleet.startCampaign(campaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> campaign.ended(journal) > CAP);

            broker.killAndStart();

            assertThat(campaign.isOver(journal))
                    .as("no machine is left to upgrade")
                    .isFalse();
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> campaign.isOver(journal));
            RolloutAssertions.assertAll(fleet, campaign);
        }
    }
}
