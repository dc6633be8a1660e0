package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.orchestrator.chapter.ChapterRules;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A leader whose machine was an hour ahead, and whose clock is then set right, leads anew: a term does not go back in time. */
class SetBackIT {
    private static final SiteId EAST = new SiteId("east");

    private final Shifted time = new Shifted();
    private int cap;

    @Test
    void stepsDownSoThatTheNextTermReadsTheClockAnew() {
        time.ahead.set(TimeUnit.HOURS.toMillis(1));
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(EAST));
                Leaders leaders = new Leaders(number -> surroundings(kafka.bootstrap()))) {
            field.write(Field.heartbeat(EAST));
            field.await("a leader", () -> terms(field) == 1);
            assertThat(field.journal().getFirst().decidedAt()).isAfter(Instant.now().plus(Duration.ofMinutes(50)));

            time.ahead.set(0);
            field.await("the next term", () -> {
                time.pass(Duration.ofSeconds(10));
                // The broker's clock is known by what it takes.
                field.write(Wishes.policy(++cap));
                return terms(field) > 1;
            });
            assertThat(leaders.look().head().term()).isGreaterThan(1);
        }
    }

    private static long terms(Field field) {
        return field.journal().stream()
                .map(JournalRecord::event)
                .filter(DecisionEvent.LEADER_ELECTED.label()::equals)
                .count();
    }

    private Surroundings surroundings(String bootstrap) {
        return new Surroundings(
                "set-back",
                KafkaClientSettings.forLocalBroker(bootstrap),
                FleetDecider::standard,
                time,
                Bounds.USUAL,
                ChapterRules.USUAL,
                Surroundings.SESSION,
                Surroundings.PATIENCE,
                step -> {},
                new Silent());
    }

    /** A calendar that is so far ahead of the real one, and a clock of seconds that has gone on by so much more. */
    private static final class Shifted implements TimeSource {
        private final AtomicLong ahead = new AtomicLong();
        private final AtomicLong passed = new AtomicLong();

        @Override
        public long wall() {
            return System.currentTimeMillis() + ahead.get();
        }

        @Override
        public long nanos() {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(passed.get());
        }

        void pass(Duration time) {
            passed.addAndGet(time.toMillis());
        }
    }
}
