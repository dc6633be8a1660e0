package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.LogSegmentFile;
import dev.flotilla.e2e.arena.ProcessHttpClient;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A table that lost records which were decided on: no orchestrator leads on it, and the error names partition and
 * offsets.
 */
@Tag("whole")
class LostTableRecordsIT {
    private static final SitesSpec SPEC = new SitesSpec(1, 4, 24, 0, 1, 400);
    private static final int CAP = 8;
    private static final int READY = 200;
    private static final int REFUSING = 503;

    @ParameterizedTest
    @CsvSource({
        "flotilla.policies-0, 1, 'ends at offset \\d+, but was read or written up to offset \\d+'",
        // The last records of the head may contain only how far was read.
        "flotilla.head-0, 24, 'its newest decision is \\d+, but decision \\d+ has written rows'"
    })
    void noOrchestratorLeadsOnAFleetTableThatLostRecords(String partition, int batches, String how) {
        try (FleetTestBed fleetTestBed = FleetTestBed.open("lost-records", SPEC, CAP)) {
            ChildProcess next = startAgainWithout(fleetTestBed, partition, batches);
            JournalFollower journal = fleetTestBed.journal();
            int terms = journal.terms();
            fleetTestBed.awaitReplicaRole(next, "refusing");
            ProcessHttpClient.ProcessHttpResponse[] answer = new ProcessHttpClient.ProcessHttpResponse[1];
            journal.await("an answer", FleetTestBed.PATIENCE, () -> {
                answer[0] = ProcessHttpClient.get(next.awaitAddress().resolve("/readyz"));
                return answer[0] != null && answer[0].text("status").equals("refusing");
            });
            assertThat(answer[0].status()).isEqualTo(REFUSING);
            List<String> said = answer[0].list("components").stream()
                    .map(part -> String.valueOf(part.get("message")))
                    .toList();
            assertThat(said)
                    .anySatisfy(says -> assertThat(says)
                            .contains("has lost records", partitionLabel(partition))
                            .containsPattern(how));
            System.out.println("LostTableRecordsIT: " + said);
            assertThat(journal.terms()).as("terms after the loss").isEqualTo(terms);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "flotilla.inventory.site-1-0, flotilla.inventory.site-1",
        "flotilla.progress.site-1-1, flotilla.progress.site-1"
    })
    void siteWithATableThatLostRecordsIsSuspended(String partition, String topic) {
        try (FleetTestBed fleetTestBed = FleetTestBed.open("lost-site-records", SPEC, CAP)) {
            ChildProcess next = startAgainWithout(fleetTestBed, partition, 3);
            JournalFollower journal = fleetTestBed.journal();
            journal.await("the site is suspended", FleetTestBed.PATIENCE, () -> unreachable(journal) != null);
            assertThat(unreachable(journal).subject()).isEqualTo("site-1");
            assertThat(unreachable(journal).reason()).isEqualTo("unreachable: topic " + topic + " has lost records");
            System.out.println("LostTableRecordsIT: " + unreachable(journal).reason());
            assertThat(ProcessHttpClient.get(next.awaitAddress().resolve("/readyz"))
                            .status())
                    .isEqualTo(READY);
        }
    }

    /** Runs a campaign, cuts the last batches of a partition, and starts another orchestrator. */
    private static ChildProcess startAgainWithout(FleetTestBed fleetTestBed, String partition, int batches) {
        TestCampaign testCampaign = new TestCampaign(1);
        JournalFollower journal = fleetTestBed.journal();
        ChildProcess first = fleetTestBed.startOrchestrator();
        fleetTestBed.awaitKnown();
        fleetTestBed.startCampaign(testCampaign);
        journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
        int policies = journal.lines(DecisionEvent.POLICY_ACCEPTED).size();
        fleetTestBed.setCap(2 * CAP);
        journal.await(
                "another policy is accepted",
                FleetTestBed.PATIENCE,
                () -> journal.lines(DecisionEvent.POLICY_ACCEPTED).size() > policies);
        fleetTestBed.stopTracking(first);
        first.terminate();
        first.awaitExit();
        fleetTestBed.stopSites();
        fleetTestBed.broker().stop();
        LogSegmentFile.lastOf(fleetTestBed.folder(), partition).cutLastBatches(batches);
        fleetTestBed.broker().start();
        return fleetTestBed.startOrchestrator();
    }

    private static JournalFollower.JournalEntry unreachable(JournalFollower journal) {
        return journal.lines(DecisionEvent.SITE_CHANGED).stream()
                .filter(journalEntry -> journalEntry.reason().startsWith("unreachable"))
                .findFirst()
                .orElse(null);
    }

    /** Name of a partition in the orchestrator's messages. */
    private static String partitionLabel(String partition) {
        int dash = partition.lastIndexOf('-');
        return partition.substring("flotilla.".length(), dash) + "/" + partition.substring(dash + 1);
    }
}
