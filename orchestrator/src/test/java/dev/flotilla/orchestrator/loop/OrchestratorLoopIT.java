package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The loop on a real Kafka, with everybody else played by hand. */
class OrchestratorLoopIT {
    private static final SiteId EAST = new SiteId("east");
    private static final int WORKERS = 6;
    private static final int CAP = 2;
    private static final int MORE_THAN_A_STANDBY_MAY_BE_BEHIND = 60_000;

    private static LocalKafka kafka;

    private final List<OrchestratorLoop> loops = new ArrayList<>();

    @BeforeAll
    static void startKafka() {
        kafka = LocalKafka.start();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @AfterEach
    void stopLoops() {
        for (OrchestratorLoop loop : loops) {
            loop.close();
        }
    }

    @Test
    void upgradesAFleetUnderItsCapAndWritesAWholeJournal() {
        try (Field field = new Field(kafka.bootstrap(), List.of(EAST))) {
            start("one");
            field.write(Wishes.policy(CAP));
            field.write(Field.heartbeat(EAST), Field.cluster(EAST, "k1", WORKERS));
            field.write(IntStream.range(0, WORKERS)
                    .mapToObj(i -> Field.worker(EAST, "k1", i))
                    .toList());
            field.write(Wishes.campaign());

            List<Long> answered = new ArrayList<>();
            while (field.now(CampaignStatus.class).noneMatch(status -> status.state() == CampaignState.COMPLETED)) {
                field.await(
                        "a start or the end",
                        () -> field.now(WorkerCommand.UpgradeMachine.class)
                                        .anyMatch(command -> !answered.contains(command.attemptId()))
                                || field.now(CampaignStatus.class)
                                        .anyMatch(status -> status.state() == CampaignState.COMPLETED));
                List<WorkerCommand.UpgradeMachine> open =
                        field.now(WorkerCommand.UpgradeMachine.class).toList();
                // Of commands a reader sees a new one before an old one has gone: they stand in several partitions.
                assertThat(field.now(MachineStatus.class).filter(machine -> machine.attempt() != null))
                        .hasSizeLessThanOrEqualTo(CAP);
                for (WorkerCommand.UpgradeMachine command : open) {
                    if (!answered.contains(command.attemptId())) {
                        answered.add(command.attemptId());
                        field.write(field.succeeded(command));
                    }
                }
            }

            assertThat(answered).hasSize(WORKERS);
            // Likewise the campaign's end may be read before the last command's.
            field.await(
                    "no command to stand",
                    () -> field.now(WorkerCommand.UpgradeMachine.class).findAny().isEmpty());
            assertThat(field.journal().stream().map(JournalRecord::event))
                    .contains(
                            DecisionEvent.LEADER_ELECTED.label(), DecisionEvent.CAMPAIGN_ACCEPTED.label(), DecisionEvent.CAMPAIGN_COMPLETED.label());
            field.assertWholeChain();
        }
    }

    @Test
    void parksWhatItCannotReadAndGoesOn() {
        SiteId north = new SiteId("north");
        try (Field field = new Field(kafka.bootstrap(), List.of(north))) {
            start("two");
            field.raw(List.of(new WireRecord(
                    "flotilla.inventory.north",
                    0,
                    "machine/fleet/broken",
                    "{not json".getBytes(StandardCharsets.UTF_8),
                    WireHeaders.NONE)));
            field.await(
                    "a rejected row",
                    () -> field.now(RejectedRecord.class)
                            .anyMatch(rejectedRecord -> rejectedRecord.key().key().equals("machine/fleet/broken")));
            field.write(Field.heartbeat(north));
            field.await(
                    "the site is heard",
                    () -> field.journal().stream()
                            .anyMatch(record -> record.reason().equals("heard")
                                    && record.subject().equals("north")));
        }
    }

    /** A fleet that was published before anybody led, or while nobody did. */
    @Test
    void leadsHoweverMuchWaitsToBeDecidedOn() {
        SiteId west = new SiteId("west");
        try (Field field = new Field(kafka.bootstrap(), List.of(west))) {
            field.write(Collections.nCopies(MORE_THAN_A_STANDBY_MAY_BE_BEHIND, Field.heartbeat(west)));
            start("three");
            field.await(
                    "the site is heard",
                    () -> field.journal().stream()
                            .anyMatch(record -> record.reason().equals("heard")
                                    && record.subject().equals("west")));
        }
    }

    private void start(String name) {
        OrchestratorLoop loop = new OrchestratorLoop(
                Surroundings.usual(
                        name,
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        step -> {},
                        new Silent()),
                new Mailbox(GateChain.standard()));
        loops.add(loop);
        loop.start();
    }
}
