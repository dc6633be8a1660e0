package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.orchestrator.state.ReplicaRole;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a campaign in which compaction runs between any two steps and another replica leads with what remains. */
@Tag("nightly")
class LogCompactionIT {
    private static final List<SiteId> SITES = List.of(CampaignScenario.EAST);

    @Test
    void restoresTheLeadersStateAfterEachStep() {
        try (LocalKafka kafka = AggressiveLogCompactor.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), SITES);
                OrchestratorReplicas orchestratorReplicas =
                        new OrchestratorReplicas(kafka.bootstrap(), new SilentLoopListener())) {
            AggressiveLogCompactor aggressiveLogCompactor = new AggressiveLogCompactor(kafka, SITES);
            CampaignScenario campaignScenario = new CampaignScenario(tableActorsFixture, ProcessClock.SYSTEM);
            List<CampaignScenario.ScenarioStep> steps = new ArrayList<>(campaignScenario.stepsToTheMiddle());
            steps.add(campaignScenario.lastStep());
            for (int i = 0; i < steps.size(); i++) {
                long term = i + 1L;
                tableActorsFixture.await(
                        "leader " + term,
                        () -> tableActorsFixture.currentRows(FleetHead.class).anyMatch(head -> head.term() == term));
                campaignScenario.heartbeat();
                steps.get(i).happens().run();

                int left = assertRestoredAsHeld(
                        kafka,
                        aggressiveLogCompactor,
                        orchestratorReplicas,
                        steps.get(i).what());
                System.out.printf(
                        "CompactionIT: %-52s %3d decisions, %3d records left in all tables%n",
                        steps.get(i).what(), tableActorsFixture.journal().size(), left);
                orchestratorReplicas.startNext();
            }
            assertThat(tableActorsFixture.currentRows(CampaignStatus.class).map(CampaignStatus::state))
                    .containsExactly(CampaignState.COMPLETED);
            assertChaptersMatchTheJournal(tableActorsFixture);
        }
    }

    /**
     * Every complete checkpoint has the rows that the journal leads to, whatever compaction removed while it was read.
     */
    private static void assertChaptersMatchTheJournal(TableActorsFixture tableActorsFixture) {
        tableActorsFixture.awaitJournalUpToHead();
        FleetHead head =
                tableActorsFixture.currentRows(FleetHead.class).findFirst().orElseThrow();
        JournalVerifier verifier = new JournalVerifier(true, head);
        tableActorsFixture.journalAsStored().forEach(verifier::verifyRecord);
        JournalVerificationResult verdict = verifier.finishVerification();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.chapters()).isNotEmpty();
    }

    /**
     * Compares the leader's state with a restored one. The leader may still be writing, or may not have read the last
     * heartbeat, which leads to no decision. A restore during a write may lack part of it; then both states are read
     * again.
     */
    private static int assertRestoredAsHeld(
            LocalKafka kafka,
            AggressiveLogCompactor aggressiveLogCompactor,
            OrchestratorReplicas orchestratorReplicas,
            String after) {
        while (true) {
            int left = aggressiveLogCompactor.awaitCompaction();
            FleetHead before = orchestratorReplicas.readSnapshot().head();
            OrchestratorReplicas.ReplicaSnapshot restored =
                    OrchestratorReplicas.restoreSnapshot(kafka.bootstrap(), SITES);
            OrchestratorReplicas.ReplicaSnapshot held = orchestratorReplicas.readSnapshot();
            boolean quiet = held.head().equals(before) && held.head().equals(restored.head());
            if (quiet && held.heartbeats().equals(restored.heartbeats())) {
                assertThat(held.replicaRole()).isEqualTo(ReplicaRole.LEADER);
                assertThat(restored.hash()).as("state after: " + after).isEqualTo(held.hash());
                return left;
            }
        }
    }
}
