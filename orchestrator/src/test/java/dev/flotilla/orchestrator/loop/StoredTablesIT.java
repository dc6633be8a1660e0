package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.leader.TransactionLimits;
import dev.flotilla.runtime.process.ProcessClock;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.testkit.kafka.LocalKafka;
import dev.flotilla.testkit.tables.TopicCreator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables that earlier versions left in the middle of a campaign: this version restores them and brings it to its end.
 *
 * <p>A file stays as it is for as long as its version is to be taken over from, and a new one is put beside it when what is
 * written has changed: {@code -Dflotilla.golden=level-1-2026-11} writes one. Where the forms of rows in memory have changed,
 * and not what is stored, {@code -Dflotilla.rewrite=true} notes the new hash in each.
 */
class StoredTablesIT {
    private static final Path FOLDER = Path.of("src", "test", "resources", "tables");
    private static final String WRITE = "flotilla.golden";
    private static final List<SiteId> SITES = List.of(CampaignScenario.EAST);
    private static final long IN_THE_PAST = 1_735_689_600_000L;

    static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void restoresStoredTablesAndCompletesTheCampaign(Path file) throws InterruptedException {
        StoredTables stored = StoredTables.read(file);
        try (LocalKafka kafka = LocalKafka.start()) {
            TopicCreator.createTopics(kafka.bootstrap(), SITES);
            new StoredTableLoader(kafka.bootstrap(), stored).load();

            OrchestratorReplicas.ReplicaSnapshot restored =
                    OrchestratorReplicas.restoreSnapshot(kafka.bootstrap(), SITES);
            assertThat(restored.head().seq()).isEqualTo(stored.seq());
            if (Boolean.getBoolean("flotilla.rewrite")) {
                stored.with(restored.hash()).write(file);
            } else {
                assertThat(restored.hash())
                        .as("state; rewritten by -Dflotilla.rewrite=true")
                        .isEqualTo(stored.hash());
            }
            try (TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), SITES);
                    OrchestratorReplicas orchestratorReplicas =
                            new OrchestratorReplicas(kafka.bootstrap(), new SilentLoopListener())) {
                CampaignScenario campaignScenario = new CampaignScenario(tableActorsFixture, ProcessClock.SYSTEM);
                campaignScenario.heartbeat();
                tableActorsFixture.await(
                        "a replica takes over",
                        () -> tableActorsFixture
                                .currentRows(FleetHead.class)
                                .anyMatch(head -> head.term() == restored.head().term() + 1));
                assertThat(orchestratorReplicas.readSnapshot().head().term())
                        .isEqualTo(restored.head().term() + 1);
                campaignScenario.lastStep().happens().run();
                assertThat(tableActorsFixture.currentRows(CampaignStatus.class).map(CampaignStatus::state))
                        .containsExactly(CampaignState.COMPLETED);
                tableActorsFixture.assertIntactHashChain();
            }
        }
    }

    /** Writes a file, dated in the past for its readers, because a leader never goes back before the last decision. */
    @BeforeAll
    static void writeRequestedFile() {
        String name = System.getProperty(WRITE, "");
        if (!name.isEmpty()) {
            write(FOLDER.resolve(name + ".jsonl"));
        }
    }

    private static void write(Path file) {
        long begun = System.nanoTime();
        ProcessClock past = new ProcessClock() {
            @Override
            public long wallMillis() {
                return IN_THE_PAST + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            }

            @Override
            public long monotonicNanos() {
                return System.nanoTime();
            }
        };
        try (LocalKafka kafka = LocalKafka.start();
                TableActorsFixture tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), SITES)) {
            try (OrchestratorReplicas orchestratorReplicas =
                    new OrchestratorReplicas(number -> in(past, kafka.bootstrap()))) {
                tableActorsFixture.await(
                        "a replica leads",
                        () -> tableActorsFixture
                                .currentRows(FleetHead.class)
                                .findAny()
                                .isPresent());
                CampaignScenario campaignScenario = new CampaignScenario(tableActorsFixture, past);
                campaignScenario
                        .stepsToTheMiddle()
                        .forEach(scenarioStep -> scenarioStep.happens().run());
                assertThat(orchestratorReplicas.readSnapshot().head().term()).isEqualTo(1);
            }
            StoredTables.read(kafka.bootstrap(), SITES).write(file);
        }
    }

    private static OrchestratorLoopConfig in(ProcessClock past, String bootstrap) {
        return new OrchestratorLoopConfig(
                "past",
                KafkaClientSettings.forLocalBroker(bootstrap),
                StoredTablesIT::whateverTheClock,
                past,
                TransactionLimits.DEFAULT,
                JournalChapterPolicy.DEFAULT,
                OrchestratorLoopConfig.SESSION_TIMEOUT,
                OrchestratorLoopConfig.REQUEST_TIMEOUT,
                loopCrashPoint -> {},
                new SilentLoopListener());
    }

    private static Decider whateverTheClock() {
        return new FleetDecider(GateChain.standard()
                .with(
                        GateLabel.CLOCK_SKEW,
                        gate -> new Gate(
                                gate.label(), gate.level(), gate.leaseEffect(), candidate -> true, gate.explain())));
    }
}
