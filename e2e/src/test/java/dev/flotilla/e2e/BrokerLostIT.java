package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.Layout;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.schemas.topic.Table;
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

/** Of three brokers who have a copy of everything each, the one that all heads go through is lost for good. */
@Tag("nightly")
class BrokerLostIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 30, 300, 0, 1, 100);
    private static final int CAP = 20;

    @Test
    void aCampaignEndsOnTheTwoThatAreLeft() throws Exception {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("broker-lost", Layout.REPLICATED, SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestrator();
            arena.startOrchestrator();
            arena.awaitKnown();
            long begun = System.nanoTime();
            arena.begin(rollout);
            journal.await("it is at work", Arena.PATIENCE, () -> rollout.ended(journal) > CAP);

            int head = leaderOfHead(arena.bootstrap());
            arena.broker(head).kill();
            long killed = System.currentTimeMillis();
            long ended = rollout.ended(journal);
            journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));

            double makespan = (System.nanoTime() - begun) / 1e9;
            List<Journal.Line> starts = journal.lines(DecisionEvent.ATTEMPT_ADMITTED).stream()
                    .filter(line -> line.appended() > killed)
                    .toList();
            assertThat(starts).as("starts on two brokers").isNotEmpty();
            System.out.printf(
                    "BrokerLostIT: broker %d of 3 killed with %d of %d ended; the next start %.1f s later; makespan %.1f s;"
                            + " %d terms%n",
                    head,
                    ended,
                    SPEC.machines(),
                    (starts.getFirst().appended() - killed) / 1e3,
                    makespan,
                    journal.terms());
            Verdict.holds(arena, rollout);
            assertThat(arena.broker(head).isAlive()).isFalse();
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
            throw new IllegalStateException("asking who leads " + topic, e);
        }
    }
}
