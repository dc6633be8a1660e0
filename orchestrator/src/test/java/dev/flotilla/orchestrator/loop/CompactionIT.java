package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.journal.JournalVerdict;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.orchestrator.view.Standing;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Between any two steps of a campaign compaction takes all that it may, and another leads from what is left. */
@Tag("whole")
class CompactionIT {
    private static final List<SiteId> SITES = List.of(Story.EAST);

    @Test
    void whoeverRestoresAfterEachStepHoldsWhatTheLeaderHeld() {
        try (LocalKafka kafka = Compaction.start();
                Field field = new Field(kafka.bootstrap(), SITES);
                Leaders leaders = new Leaders(kafka.bootstrap(), new Silent())) {
            Compaction compaction = new Compaction(kafka, SITES);
            Story story = new Story(field, TimeSource.SYSTEM);
            List<Story.Step> steps = new ArrayList<>(story.upToTheMiddle());
            steps.add(story.end());
            for (int i = 0; i < steps.size(); i++) {
                long term = i + 1L;
                field.await("leader " + term, () -> field.now(FleetHead.class).anyMatch(head -> head.term() == term));
                story.heartbeat();
                steps.get(i).happens().run();

                int left = assertRestoredAsHeld(
                        kafka, compaction, leaders, steps.get(i).what());
                System.out.printf(
                        "CompactionIT: %-52s %3d decisions, %3d records left in all tables%n",
                        steps.get(i).what(), field.journal().size(), left);
                leaders.next();
            }
            assertThat(field.now(CampaignStatus.class).map(CampaignStatus::state))
                    .containsExactly(CampaignState.COMPLETED);
            chaptersHaveTheRowsThatTheJournalLeadsTo(field);
        }
    }

    /** Whatever went away while a checkpoint was read: it is whole and right, or it was given up. */
    private static void chaptersHaveTheRowsThatTheJournalLeadsTo(Field field) {
        FleetHead head = field.now(FleetHead.class).findFirst().orElseThrow();
        JournalVerifier verifier = new JournalVerifier(true, head);
        field.journalAsStored().forEach(verifier::take);
        JournalVerdict verdict = verifier.end();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.chapters()).isNotEmpty();
    }

    /**
     * Who leads may still write, or not have read the last heartbeat, about which nothing is decided. What was read meanwhile may
     * lack a part of what it wrote, as nobody who takes over sees it: then both are asked again.
     */
    private static int assertRestoredAsHeld(LocalKafka kafka, Compaction compaction, Leaders leaders, String after) {
        while (true) {
            int left = compaction.sweep();
            FleetHead before = leaders.look().head();
            Leaders.Glimpse restored = Leaders.restored(kafka.bootstrap(), SITES);
            Leaders.Glimpse held = leaders.look();
            boolean quiet = held.head().equals(before) && held.head().equals(restored.head());
            if (quiet && held.heard().equals(restored.heard())) {
                assertThat(held.standing()).isEqualTo(Standing.LEADER);
                assertThat(restored.hash()).as("state after: " + after).isEqualTo(held.hash());
                return left;
            }
        }
    }
}
