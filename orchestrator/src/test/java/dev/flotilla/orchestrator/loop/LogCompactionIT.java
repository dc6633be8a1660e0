package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.orchestrator.view.ReplicaRole;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Between any two steps of a campaign compaction takes all that it may, and another leads from what is left. */
@Tag("whole")
class LogCompactionIT {
    private static final List<SiteId> SITES = List.of(CampaignScenario.EAST);

    @Test
    void whoeverRestoresAfterEachStepHoldsWhatTheLeaderHeld() {
        try (LocalKafka kafka = AggressiveLogCompactor.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), SITES);
                OrchestratorReplicas orchestratorReplicas =
                        new OrchestratorReplicas(kafka.bootstrap(), new SilentLoopListener())) {
            AggressiveLogCompactor aggressiveLogCompactor = new AggressiveLogCompactor(kafka, SITES);
            CampaignScenario campaignScenario = new CampaignScenario(tableActorsFixture, LoopClock.SYSTEM);
            List<CampaignScenario.ScenarioStep> steps = new ArrayList<>(campaignScenario.upToTheMiddle());
            steps.add(campaignScenario.end());
            for (int i = 0; i < steps.size(); i++) {
                long term = i + 1L;
                tableActorsFixture.await(
                        "leader " + term,
                        () -> tableActorsFixture.now(FleetHead.class).anyMatch(head -> head.term() == term));
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
                orchestratorReplicas.next();
            }
            assertThat(tableActorsFixture.now(CampaignStatus.class).map(CampaignStatus::state))
                    .containsExactly(CampaignState.COMPLETED);
            chaptersHaveTheRowsThatTheJournalLeadsTo(tableActorsFixture);
        }
    }

    /** Whatever went away while a checkpoint was read: it is whole and right, or it was given up. */
    private static void chaptersHaveTheRowsThatTheJournalLeadsTo(TableActorsFixture tableActorsFixture) {
        FleetHead head = tableActorsFixture.now(FleetHead.class).findFirst().orElseThrow();
        JournalVerifier verifier = new JournalVerifier(true, head);
        tableActorsFixture.journalAsStored().forEach(verifier::verifyRecord);
        JournalVerificationResult verdict = verifier.finishVerification();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.chapters()).isNotEmpty();
    }

    /**
     * Who leads may still write, or not have read the last heartbeat, about which nothing is decided. What was read meanwhile may
     * lack a part of what it wrote, as nobody who takes over sees it: then both are asked again.
     */
    private static int assertRestoredAsHeld(
            LocalKafka kafka,
            AggressiveLogCompactor aggressiveLogCompactor,
            OrchestratorReplicas orchestratorReplicas,
            String after) {
        while (true) {
            int left = aggressiveLogCompactor.sweep();
            FleetHead before = orchestratorReplicas.look().head();
            OrchestratorReplicas.ReplicaSnapshot restored = OrchestratorReplicas.restored(kafka.bootstrap(), SITES);
            OrchestratorReplicas.ReplicaSnapshot held = orchestratorReplicas.look();
            boolean quiet = held.head().equals(before) && held.head().equals(restored.head());
            if (quiet && held.heard().equals(restored.heard())) {
                assertThat(held.standing()).isEqualTo(ReplicaRole.LEADER);
                assertThat(restored.hash()).as("state after: " + after).isEqualTo(held.hash());
                return left;
            }
        }
    }
}
