package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Http;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Segment;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A table that is shorter than what was decided on: nobody goes on from there, and it is said where and how far. */
@Tag("whole")
class LostRecordsIT {
    private static final SitesSpec SPEC = new SitesSpec(1, 4, 24, 0, 1, 400);
    private static final int CAP = 8;
    private static final int READY = 200;
    private static final int REFUSING = 503;

    @ParameterizedTest
    @CsvSource({
        "flotilla.policies-0, 1, 'ends at offset \\d+, and \\d+ was read'",
        // Its last records may say nothing but how far was read.
        "flotilla.head-0, 24, 'decision \\d+ is the last that it knows of, and decision \\d+ has written rows'"
    })
    void nobodyLeadsOnATableOfTheFleetThatWentBack(String partition, int batches, String how) {
        try (Arena arena = Arena.open("lost-records", SPEC, CAP)) {
            JvmProcess next = startAgainWithout(arena, partition, batches);
            Journal journal = arena.journal();
            int terms = journal.terms();
            arena.awaitStanding(next, "refusing");
            Http.Answer[] answer = new Http.Answer[1];
            journal.await("an answer", Arena.PATIENCE, () -> {
                answer[0] = Http.get(next.uri().resolve("/readyz"));
                return answer[0] != null && answer[0].text("status").equals("refusing");
            });
            assertThat(answer[0].status()).isEqualTo(REFUSING);
            List<String> said = answer[0].list("parts").stream()
                    .map(part -> String.valueOf(part.get("says")))
                    .toList();
            assertThat(said)
                    .anySatisfy(says -> assertThat(says)
                            .contains("went back", placeOf(partition))
                            .containsPattern(how));
            System.out.println("LostRecordsIT: " + said);
            assertThat(journal.terms()).as("nobody decided anything").isEqualTo(terms);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "flotilla.inventory.site-1-0, flotilla.inventory.site-1",
        "flotilla.progress.site-1-1, flotilla.progress.site-1"
    })
    void aSiteOfWhichATableWentBackIsSetAside(String partition, String topic) {
        try (Arena arena = Arena.open("lost-site-records", SPEC, CAP)) {
            JvmProcess next = startAgainWithout(arena, partition, 3);
            Journal journal = arena.journal();
            journal.await("the site is set aside", Arena.PATIENCE, () -> unreachable(journal) != null);
            assertThat(unreachable(journal).subject()).isEqualTo("site-1");
            assertThat(unreachable(journal).reason()).isEqualTo("unreachable: topic " + topic + " has lost records");
            System.out.println("LostRecordsIT: " + unreachable(journal).reason());
            assertThat(Http.get(next.uri().resolve("/readyz")).status()).isEqualTo(READY);
        }
    }

    /** Plays a campaign, cuts the last batches of a partition, and starts another orchestrator. */
    private static JvmProcess startAgainWithout(Arena arena, String partition, int batches) {
        Rollout rollout = new Rollout(1);
        Journal journal = arena.journal();
        JvmProcess first = arena.startOrchestrator();
        arena.awaitKnown();
        arena.begin(rollout);
        journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
        int policies = journal.lines(DecisionEvent.POLICY_ACCEPTED).size();
        arena.setCap(2 * CAP);
        journal.await(
                "another policy is accepted",
                Arena.PATIENCE,
                () -> journal.lines(DecisionEvent.POLICY_ACCEPTED).size() > policies);
        arena.forget(first);
        first.terminate();
        first.exit();
        arena.stopSites();
        arena.broker().stop();
        Segment.lastOf(arena.folder(), partition).cutLastBatches(batches);
        arena.broker().start();
        return arena.startOrchestrator();
    }

    private static Journal.Line unreachable(Journal journal) {
        return journal.lines(DecisionEvent.SITE_CHANGED).stream()
                .filter(line -> line.reason().startsWith("unreachable"))
                .findFirst()
                .orElse(null);
    }

    /** As the orchestrator names it. */
    private static String placeOf(String partition) {
        int dash = partition.lastIndexOf('-');
        return partition.substring("flotilla.".length(), dash) + "/" + partition.substring(dash + 1);
    }
}
