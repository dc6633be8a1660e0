package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.BrokerLayout;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.topic.Topic;
import dev.flotilla.testkit.sites.SitesSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loses for good one of three replicated brokers: the leader of the head partition. */
@Tag("nightly")
class BrokerLossIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 30, 300, 0, 1, 100);
    private static final int CAP = 20;

    @Test
    void campaignCompletesOnTheTwoRemainingBrokers() throws Exception {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("broker-lost", BrokerLayout.REPLICATED, SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestrator();
            fleetTestBed.startOrchestrator();
            fleetTestBed.awaitKnown();
            long begun = System.nanoTime();
            fleetTestBed.startCampaign(testCampaign);
            journal.await("the campaign is under way", FleetTestBed.PATIENCE, () -> testCampaign.ended(journal) > CAP);

            int head = leaderOfHead(fleetTestBed.bootstrap());
            fleetTestBed.broker(head).kill();
            long killed = System.currentTimeMillis();
            long ended = testCampaign.ended(journal);
            journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));

            double makespan = (System.nanoTime() - begun) / 1e9;
            List<JournalFollower.JournalEntry> starts = journal.lines(DecisionEvent.ATTEMPT_ADMITTED).stream()
                    .filter(journalEntry -> journalEntry.appended() > killed)
                    .toList();
            assertThat(starts).as("starts on two brokers").isNotEmpty();
            System.out.printf(
                    "BrokerLossIT: broker %d of 3 killed with %d of %d ended; the next start %.1f s later; makespan"
                            + " %.1f s;"
                            + " %d terms%n",
                    head,
                    ended,
                    SPEC.machines(),
                    (starts.getFirst().appended() - killed) / 1e3,
                    makespan,
                    journal.terms());
            RolloutAssertions.assertAll(fleetTestBed, testCampaign);
            assertThat(fleetTestBed.broker(head).isAlive()).isFalse();
        }
    }

    private static int leaderOfHead(String bootstrap) throws InterruptedException {
        String topic = Topic.of(Table.HEAD).name();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get(30, TimeUnit.SECONDS)
                    .get(topic)
                    .partitions()
                    .getFirst()
                    .leader()
                    .id();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("asking for the leader of " + topic, e);
        }
    }
}
