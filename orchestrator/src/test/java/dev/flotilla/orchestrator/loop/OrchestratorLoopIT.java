package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.WorkerCommand;
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

/** Tests the loop on a real Kafka; all other processes are simulated. */
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
    void upgradesAFleetWithinItsCapAndWritesAnIntactJournal() {
        try (TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST))) {
            start("one");
            tableActorsFixture.write(SampleCampaigns.policy(CAP));
            tableActorsFixture.write(
                    TableActorsFixture.heartbeat(EAST), TableActorsFixture.cluster(EAST, "k1", WORKERS));
            tableActorsFixture.write(IntStream.range(0, WORKERS)
                    .mapToObj(i -> TableActorsFixture.worker(EAST, "k1", i))
                    .toList());
            tableActorsFixture.write(SampleCampaigns.campaign());

            List<Long> answered = new ArrayList<>();
            while (tableActorsFixture
                    .currentRows(CampaignStatus.class)
                    .noneMatch(status -> status.state() == CampaignState.COMPLETED)) {
                tableActorsFixture.await(
                        "a start or the end",
                        () -> tableActorsFixture
                                        .currentRows(WorkerCommand.UpgradeMachine.class)
                                        .anyMatch(command -> !answered.contains(command.attemptId()))
                                || tableActorsFixture
                                        .currentRows(CampaignStatus.class)
                                        .anyMatch(status -> status.state() == CampaignState.COMPLETED));
                List<WorkerCommand.UpgradeMachine> open = tableActorsFixture
                        .currentRows(WorkerCommand.UpgradeMachine.class)
                        .toList();
                // A reader may see a new command before the tombstone of an old one, because they are in different
                // partitions.
                assertThat(tableActorsFixture
                                .currentRows(MachineStatus.class)
                                .filter(machine -> machine.attempt() != null))
                        .hasSizeLessThanOrEqualTo(CAP);
                for (WorkerCommand.UpgradeMachine command : open) {
                    if (!answered.contains(command.attemptId())) {
                        answered.add(command.attemptId());
                        tableActorsFixture.write(tableActorsFixture.succeeded(command));
                    }
                }
            }

            assertThat(answered).hasSize(WORKERS);
            // Likewise, the end of the campaign may be read before the tombstone of the last command.
            tableActorsFixture.await(
                    "no command to stand",
                    () -> tableActorsFixture
                            .currentRows(WorkerCommand.UpgradeMachine.class)
                            .findAny()
                            .isEmpty());
            // And before the journal's last record.
            tableActorsFixture.await(
                    "the end of the campaign in the journal",
                    () -> tableActorsFixture.journal().stream()
                            .anyMatch(record -> record.event().equals(DecisionEvent.CAMPAIGN_COMPLETED.label())));
            assertThat(tableActorsFixture.journal().stream().map(JournalRecord::event))
                    .contains(
                            DecisionEvent.LEADER_ELECTED.label(),
                            DecisionEvent.CAMPAIGN_ACCEPTED.label(),
                            DecisionEvent.CAMPAIGN_COMPLETED.label());
            tableActorsFixture.assertIntactHashChain();
        }
    }

    @Test
    void rejectsUnreadableRecordsAndContinues() {
        SiteId north = new SiteId("north");
        try (TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(north))) {
            start("two");
            tableActorsFixture.writeRecords(List.of(new WireRecord(
                    "flotilla.inventory.north",
                    0,
                    "machine/fleet/broken",
                    "{not json".getBytes(StandardCharsets.UTF_8),
                    WireHeaders.NONE)));
            tableActorsFixture.await(
                    "a rejected row",
                    () -> tableActorsFixture
                            .currentRows(RejectedRecord.class)
                            .anyMatch(
                                    rejectedRecord -> rejectedRecord.key().key().equals("machine/fleet/broken")));
            tableActorsFixture.write(TableActorsFixture.heartbeat(north));
            tableActorsFixture.await(
                    "the site is heard",
                    () -> tableActorsFixture.journal().stream()
                            .anyMatch(record -> record.reason().equals("connected")
                                    && record.subject().equals("north")));
        }
    }

    /** The fleet was published before there was a leader, or while there was none. */
    @Test
    void leadsWithALargeBacklog() {
        SiteId west = new SiteId("west");
        try (TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(west))) {
            tableActorsFixture.write(
                    Collections.nCopies(MORE_THAN_A_STANDBY_MAY_BE_BEHIND, TableActorsFixture.heartbeat(west)));
            start("three");
            tableActorsFixture.await(
                    "the site is heard",
                    () -> tableActorsFixture.journal().stream()
                            .anyMatch(record -> record.reason().equals("connected")
                                    && record.subject().equals("west")));
        }
    }

    private void start(String name) {
        OrchestratorLoop loop = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                        name,
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        loopCrashPoint -> {},
                        new SilentLoopListener()),
                new StateQueryQueue(GateChain.standard()));
        loops.add(loop);
        loop.start();
    }
}
