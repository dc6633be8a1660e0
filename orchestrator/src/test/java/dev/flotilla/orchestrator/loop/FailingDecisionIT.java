package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionFailedException;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TopicCatalogue;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that a bug in a decision parks its subject, is reported, and does not stop other decisions. */
class FailingDecisionIT {
    private static final SiteId EAST = new SiteId("east");

    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();

    @Test
    void parksAnInputThatFailsAndDecidesLaterOnes() {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST));
                OrchestratorReplicas orchestratorReplicas =
                        createReplicas(kafka.bootstrap(), FailingDecisionIT::failOnOneMachine)) {
            write(tableActorsFixture);
            tableActorsFixture.await("the last is started", () -> started(tableActorsFixture, "k1-w-2"));
            assertParked(tableActorsFixture, "flotilla.inventory.east/0/machine/fleet/k1-w-1");
            assertThat(started(tableActorsFixture, "k1-w-1")).isFalse();
            nextLeaderDoesNotTry(kafka, tableActorsFixture, orchestratorReplicas);
        }
    }

    @Test
    void parksAMachineWhoseDueWorkFailsAndContinuesWithOthers() {
        assertOneMachineIsParked(FailingDecisionIT::failToStartOneMachine);
    }

    @Test
    void parksAMachineWhoseDecisionIsTooLargeForKafka() {
        assertOneMachineIsParked(FailingDecisionIT::startOneMachineAtLength);
    }

    private void assertOneMachineIsParked(Bug bug) {
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST));
                OrchestratorReplicas orchestratorReplicas = createReplicas(kafka.bootstrap(), bug)) {
            write(tableActorsFixture);
            tableActorsFixture.await(
                    "both others are started",
                    () -> started(tableActorsFixture, "k1-w-0") && started(tableActorsFixture, "k1-w-2"));
            assertParked(tableActorsFixture, "flotilla.status.east/0/machine/fleet/k1-w-1");
            nextLeaderDoesNotTry(kafka, tableActorsFixture, orchestratorReplicas);
        }
    }

    private static void write(TableActorsFixture tableActorsFixture) {
        tableActorsFixture.write(TableActorsFixture.heartbeat(EAST), TableActorsFixture.cluster(EAST, "k1", 3));
        tableActorsFixture.write(
                TableActorsFixture.worker(EAST, "k1", 0),
                TableActorsFixture.worker(EAST, "k1", 1),
                TableActorsFixture.worker(EAST, "k1", 2));
        tableActorsFixture.write(SampleCampaigns.policy(5), SampleCampaigns.campaign());
    }

    private void assertParked(TableActorsFixture tableActorsFixture, String key) {
        RejectedRecord row = tableActorsFixture.awaitRow("it is parked", RejectedRecord.class, any -> true);
        assertThat(row.key()).hasToString(key);
        assertThat(row.reason()).isEqualTo(RejectionReason.CANNOT_BE_DECIDED);
        assertThat(failures).as("terms that it cost").hasValue(2);
    }

    private void nextLeaderDoesNotTry(
            LocalKafka kafka, TableActorsFixture tableActorsFixture, OrchestratorReplicas orchestratorReplicas) {
        orchestratorReplicas.startNext();
        tableActorsFixture.await(
                "the next leader",
                () -> tableActorsFixture.currentRows(FleetHead.class).anyMatch(head -> head.term() == 4));
        assertEqualAfterRestore(kafka, orchestratorReplicas);
        assertThat(failures).as("the next leader does not try").hasValue(2);
        assertThat(ends).as("processes that ended").hasValue(0);
    }

    /** Compares the leader's state with a newly restored one, both at the same decision. */
    private static void assertEqualAfterRestore(LocalKafka kafka, OrchestratorReplicas orchestratorReplicas) {
        OrchestratorReplicas.ReplicaSnapshot held = orchestratorReplicas.readSnapshot();
        OrchestratorReplicas.ReplicaSnapshot restored =
                OrchestratorReplicas.restoreSnapshot(kafka.bootstrap(), List.of(EAST));
        while (!held.head().equals(restored.head())) {
            held = orchestratorReplicas.readSnapshot();
            restored = OrchestratorReplicas.restoreSnapshot(kafka.bootstrap(), List.of(EAST));
        }
        assertThat(restored.hash()).isEqualTo(held.hash());
    }

    private static boolean started(TableActorsFixture tableActorsFixture, String machine) {
        return tableActorsFixture
                .currentRows(MachineStatus.class)
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
        return decided.changes().stream().noneMatch(FailingDecisionIT::isOneStart)
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

    /** The real decider with a bug. */
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

    private OrchestratorReplicas createReplicas(String bootstrap, Bug bug) {
        return new OrchestratorReplicas(number -> OrchestratorLoopConfig.defaults(
                "leader-" + number,
                KafkaClientSettings.forLocalBroker(bootstrap),
                () -> new Broken(FleetDecider.standard(), bug),
                loopCrashPoint -> {},
                new SilentLoopListener() {
                    @Override
                    public void decisionFailed() {
                        failures.incrementAndGet();
                    }

                    @Override
                    public void loopFailed(Throwable thrown) {
                        ends.incrementAndGet();
                    }
                }));
    }
}
