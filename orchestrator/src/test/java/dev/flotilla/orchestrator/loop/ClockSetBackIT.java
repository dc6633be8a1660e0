package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.leader.TransactionLimits;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests that a leader whose clock was an hour ahead and is set back starts a new term, because time within a term never
 * goes back.
 */
class ClockSetBackIT {
    private static final SiteId EAST = new SiteId("east");

    private final Shifted time = new Shifted();
    private int cap;

    @Test
    void endsTheTermSoThatTheNextOneReadsTheClockAgain() {
        time.ahead.set(TimeUnit.HOURS.toMillis(1));
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST));
                OrchestratorReplicas orchestratorReplicas =
                        new OrchestratorReplicas(number -> configFor(kafka.bootstrap()))) {
            tableActorsFixture.write(TableActorsFixture.heartbeat(EAST));
            tableActorsFixture.await("a leader", () -> terms(tableActorsFixture) == 1);
            assertThat(tableActorsFixture.journal().getFirst().decidedAt())
                    .isAfter(Instant.now().plus(Duration.ofMinutes(50)));

            time.ahead.set(0);
            tableActorsFixture.await("the next term", () -> {
                time.pass(Duration.ofSeconds(10));
                // The broker's clock is known from its append times.
                tableActorsFixture.write(SampleCampaigns.policy(++cap));
                return terms(tableActorsFixture) > 1;
            });
            assertThat(orchestratorReplicas.readSnapshot().head().term()).isGreaterThan(1);
        }
    }

    private static long terms(TableActorsFixture tableActorsFixture) {
        return tableActorsFixture.journal().stream()
                .map(JournalRecord::event)
                .filter(DecisionEvent.LEADER_ELECTED.label()::equals)
                .count();
    }

    private OrchestratorLoopConfig configFor(String bootstrap) {
        return new OrchestratorLoopConfig(
                "set-back",
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                time,
                TransactionLimits.DEFAULT,
                JournalChapterPolicy.DEFAULT,
                OrchestratorLoopConfig.SESSION_TIMEOUT,
                OrchestratorLoopConfig.REQUEST_TIMEOUT,
                loopCrashPoint -> {},
                new SilentLoopListener());
    }

    /** A wall clock that is ahead of the real one, and a monotonic clock that has advanced by the same amount. */
    private static final class Shifted implements ProcessClock {
        private final AtomicLong ahead = new AtomicLong();
        private final AtomicLong passed = new AtomicLong();

        @Override
        public long wallMillis() {
            return System.currentTimeMillis() + ahead.get();
        }

        @Override
        public long monotonicNanos() {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(passed.get());
        }

        void pass(Duration time) {
            passed.addAndGet(time.toMillis());
        }
    }
}
