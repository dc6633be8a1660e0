package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.Decision;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.DecisionInput;
import dev.flotilla.core.DecisionFailedException;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A bug in a decision costs what it is about, and not the fleet: it is parked, told, and the rest goes on. */
class BrokenDecisionIT {
    private static final SiteId EAST = new SiteId("east");

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void anInputThatCannotBeDecidedOnIsParkedAndWhatComesAfterItIsDecided() {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(EAST));
                Leaders leaders = leaders(kafka.bootstrap(), BrokenDecisionIT::failOnOneMachine)) {
            write(field);
            field.await("the last is started", () -> started(field, "k1-w-2"));
            assertParked(field, "flotilla.inventory.east/0/machine/fleet/k1-w-1");
            assertThat(started(field, "k1-w-1")).isFalse();
            nextLeaderDoesNotTry(kafka, field, leaders);
        }
    }

    @Test
    void aMachineAboutWhichWhatIsDueCannotBeDecidedIsParkedAndTheOthersGoOn() {
        assertOneMachineIsParked(BrokenDecisionIT::failToStartOneMachine);
    }

    @Test
    void aMachineAboutWhichWhatIsDueMakesARecordThatKafkaRefusesIsParkedToo() {
        assertOneMachineIsParked(BrokenDecisionIT::startOneMachineAtLength);
    }

    private void assertOneMachineIsParked(Bug bug) {
        try (LocalKafka kafka = LocalKafka.start();
                Field field = new Field(kafka.bootstrap(), List.of(EAST));
                Leaders leaders = leaders(kafka.bootstrap(), bug)) {
            write(field);
            field.await("both others are started", () -> started(field, "k1-w-0") && started(field, "k1-w-2"));
            assertParked(field, "flotilla.status.east/0/machine/fleet/k1-w-1");
            nextLeaderDoesNotTry(kafka, field, leaders);
        }
    }

    private static void write(Field field) {
        field.write(Field.heartbeat(EAST), Field.cluster(EAST, "k1", 3));
        field.write(Field.worker(EAST, "k1", 0), Field.worker(EAST, "k1", 1), Field.worker(EAST, "k1", 2));
        field.write(Wishes.policy(5), Wishes.campaign());
    }

    private void assertParked(Field field, String key) {
        RejectedRecord row = field.now(RejectedRecord.class).findFirst().orElseThrow();
        assertThat(row.key()).hasToString(key);
        assertThat(row.reason()).isEqualTo(RejectionReason.CANNOT_BE_DECIDED);
        assertThat(failures).as("terms that it cost").hasValue(2);
    }

    private void nextLeaderDoesNotTry(LocalKafka kafka, Field field, Leaders leaders) {
        leaders.next();
        field.await("the next leader", () -> field.now(FleetHead.class).anyMatch(head -> head.term() == 4));
        assertSameForWhoRestores(kafka, leaders);
        assertThat(failures).as("the next leader does not try").hasValue(2);
        assertThat(ends).as("processes that ended").hasValue(0);
    }

    /** The leader holds what anybody would who reads the tables now; looked at when both are of one instant. */
    private static void assertSameForWhoRestores(LocalKafka kafka, Leaders leaders) {
        Leaders.Glimpse held = leaders.look();
        Leaders.Glimpse restored = Leaders.restored(kafka.bootstrap(), List.of(EAST));
        while (!held.head().equals(restored.head())) {
            held = leaders.look();
            restored = Leaders.restored(kafka.bootstrap(), List.of(EAST));
        }
        assertThat(restored.hash()).isEqualTo(held.hash());
    }

    private static boolean started(Field field, String machine) {
        return field.now(MachineStatus.class)
                .anyMatch(status -> status.key().name().equals(machine) && status.attempt() != null);
    }

    private static Decision failOnOneMachine(DecisionInput input, Decision decided) {
        if (input instanceof DecisionInput.RecordReceived recordReceived
                && recordReceived.change() instanceof MachineRow row
                && row.key().name().equals("k1-w-1")) {
            throw new IllegalStateException("broken on purpose");
        }
        return decided;
    }

    private static Decision failToStartOneMachine(DecisionInput input, Decision decided) {
        for (RowChange rowChange : decided.changes()) {
            if (isOneStart(rowChange)) {
                return DecisionFailedException.runFor(rowChange.rowKey().key(), () -> {
                    throw new IllegalStateException("broken on purpose");
                });
            }
        }
        return decided;
    }

    private static Decision startOneMachineAtLength(DecisionInput input, Decision decided) {
        return decided.changes().stream().noneMatch(BrokenDecisionIT::isOneStart)
                ? decided
                : new Decision(
                        decided.seq(),
                        decided.at(),
                        decided.event(),
                        decided.subject(),
                        "x".repeat(TopicCatalogue.MAX_MESSAGE_BYTES),
                        decided.changes());
    }

    private static boolean isOneStart(RowChange rowChange) {
        return rowChange instanceof MachineStatus status
                && status.key().name().equals("k1-w-1")
                && status.attempt() != null
                && status.attempt().state() instanceof AttemptState.Admitted;
    }

    @FunctionalInterface
    private interface Bug {
        Decision strike(DecisionInput input, Decision decided);
    }

    /** The real one, with a bug. */
    private record Broken(Decider real, Bug bug) implements Decider {
        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            return bug.strike(input, real.decide(state, input));
        }

        @Override
        public void refreshDerivedState(FleetState state, Instant now) {
            real.refreshDerivedState(state, now);
        }
    }

    private Leaders leaders(String bootstrap, Bug bug) {
        return new Leaders(number -> Surroundings.usual(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                () -> new Broken(FleetDecider.standard(), bug),
                step -> {},
                new Silent() {
                    @Override
                    public void undecidable() {
                        failures.incrementAndGet();
                    }

                    @Override
                    public void broke(Throwable thrown) {
                        ends.incrementAndGet();
                    }
                }));
    }
}
