package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaClientSettings;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.orchestrator.chapter.JournalChapterPolicy;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.orchestrator.journal.FullJournalReplay;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.orchestrator.leader.LoopCrashPoint;
import dev.flotilla.orchestrator.leader.OrchestratorListener;
import dev.flotilla.orchestrator.leader.OrchestratorLoopConfig;
import dev.flotilla.orchestrator.state.StateQueryQueue;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests chapters on a real Kafka: started, written while decisions go on, and left incomplete by a leader that dies.
 */
class JournalChaptersIT {
    private static final SiteId EAST = new SiteId("east");
    private static final JournalChapterPolicy LONG =
            new JournalChapterPolicy(Duration.ofDays(1), Long.MAX_VALUE, Duration.ofHours(1));

    private LocalKafka kafka;
    private TableActorsFixture tableActorsFixture;
    private @Nullable OrchestratorLoop loop;

    @BeforeEach
    void start() {
        kafka = LocalKafka.start();
        tableActorsFixture = new TableActorsFixture(kafka.bootstrap(), List.of(EAST));
    }

    @AfterEach
    void stop() {
        stopLoop();
        tableActorsFixture.close();
        kafka.close();
    }

    @Test
    void theNextLeaderContinuesTheFirstChapter() {
        start(LONG, loopCrashPoint -> {}, new SilentLoopListener());
        tableActorsFixture.await("a chapter", () -> count(DecisionEvent.CHAPTER_COMPLETED) == 1);
        stopLoop();
        start(LONG, loopCrashPoint -> {}, new SilentLoopListener());
        tableActorsFixture.write(TableActorsFixture.heartbeat(EAST));
        tableActorsFixture.await(
                "another term and what it decides", () -> count(DecisionEvent.LEADER_ELECTED) == 2 && heard());
        assertThat(count(DecisionEvent.CHAPTER_STARTED)).isEqualTo(1);
        JournalChapter chapter = head().chapter();
        assertThat(chapter).isNotNull();
        assertThat(chapter.isComplete()).isTrue();
        ConsumedRecord began = tableActorsFixture.journalAsStored().stream()
                .filter(consumedRecord -> consumedRecord.offset() == chapter.offset())
                .findFirst()
                .orElseThrow();
        assertThat(JournalReader.decodeRecord(began).seq()).isEqualTo(chapter.seq());
    }

    @Test
    void checkpointsMatchTheJournalWhileDecisionsGoOn() {
        start(
                new JournalChapterPolicy(Duration.ofDays(1), 10_000, Duration.ofSeconds(1)),
                loopCrashPoint -> {},
                new SilentLoopListener());
        upgrade(100, 4);
        for (int i = 1_000; count(DecisionEvent.CHAPTER_COMPLETED) < 5; i++) {
            MachineRow late = TableActorsFixture.worker(EAST, "k1", i);
            tableActorsFixture.write(late);
            tableActorsFixture.await(
                    "it is decided on", () -> isDecided(late.key().toString()));
        }
        stopLoop();
        tableActorsFixture.await("all of the journal", () -> head().seq() == last().seq());

        JournalVerificationResult verdict = verify();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.isIntact()).isTrue();
        assertThat(verdict.chapters().stream().filter(chapter -> chapter.comparison() == CheckpointComparison.SAME))
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(verdict.chapters()).noneMatch(chapter -> chapter.excusedRows() > 0);
        assertChapterRestoresAnyInstant(verdict.chapters());
    }

    private void assertChapterRestoresAnyInstant(List<ChapterVerificationResult> chapters) {
        for (ChapterVerificationResult chapter : chapters) {
            if (chapter.comparison() == CheckpointComparison.SAME) {
                Set<Instant> instants = new HashSet<>();
                tableActorsFixture.journal().stream()
                        .filter(record -> record.seq() >= chapter.seq())
                        .map(JournalRecord::decidedAt)
                        .limit(60)
                        .forEach(instants::add);
                for (Instant instant : instants) {
                    assertThat(FullJournalReplay.stateHashFromChapter(
                                    chapter.seq(), tableActorsFixture.journal(), instant))
                            .as("as of %s, from chapter %s on", instant, chapter.seq())
                            .isEqualTo(FullJournalReplay.stateHash(tableActorsFixture.journal(), instant));
                }
            }
        }
    }

    @Test
    void startsANewChapterAfterAnIncompleteOne() {
        AtomicBoolean within = new AtomicBoolean();
        AtomicBoolean died = new AtomicBoolean();
        tableActorsFixture.write(IntStream.range(0, 2_000)
                .mapToObj(i -> TableActorsFixture.worker(EAST, "k1", i))
                .toList());
        start(
                LONG,
                loopCrashPoint -> {
                    if (loopCrashPoint == LoopCrashPoint.SENT && within.get() && died.compareAndSet(false, true)) {
                        throw new KafkaFailure(KafkaFailure.Kind.FENCED, "as the test wants it", null);
                    }
                },
                new SilentLoopListener() {
                    @Override
                    public void onCommit(List<Decision> decisions, List<WireRecord> records, long millis) {
                        if (decisions.stream()
                                .anyMatch(decision -> decision.event() == DecisionEvent.CHECKPOINT_PART_WRITTEN)) {
                            within.set(true);
                        }
                    }
                });
        tableActorsFixture.await("a whole chapter of the next term", () -> count(DecisionEvent.CHAPTER_COMPLETED) == 1);
        assertThat(died).isTrue();
        stopLoop();
        tableActorsFixture.await("all of the journal", () -> head().seq() == last().seq());

        JournalVerificationResult verdict = verify();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.chapters())
                .extracting(ChapterVerificationResult::comparison)
                .contains(CheckpointComparison.INCOMPLETE, CheckpointComparison.SAME);
        assertThat(verdict.chapters().getLast().rows()).isGreaterThan(2_000);
        assertThat(head().chapter().previous()).isNull();
    }

    private void upgrade(int workers, int cap) {
        tableActorsFixture.write(SampleCampaigns.policy(cap));
        tableActorsFixture.write(TableActorsFixture.heartbeat(EAST), TableActorsFixture.cluster(EAST, "k1", workers));
        tableActorsFixture.write(IntStream.range(0, workers)
                .mapToObj(i -> TableActorsFixture.worker(EAST, "k1", i))
                .toList());
        tableActorsFixture.write(SampleCampaigns.campaign());
        Set<Long> answered = new HashSet<>();
        while (answered.size() < workers) {
            tableActorsFixture.await(
                    "a start",
                    () -> tableActorsFixture
                            .currentRows(WorkerCommand.UpgradeMachine.class)
                            .anyMatch(command -> !answered.contains(command.attemptId())));
            List<WorkerCommand.UpgradeMachine> open = tableActorsFixture
                    .currentRows(WorkerCommand.UpgradeMachine.class)
                    .toList();
            for (WorkerCommand.UpgradeMachine command : open) {
                if (answered.add(command.attemptId())) {
                    tableActorsFixture.write(tableActorsFixture.succeeded(command));
                }
            }
        }
    }

    private JournalVerificationResult verify() {
        JournalVerifier verifier = new JournalVerifier(true, head());
        tableActorsFixture.journalAsStored().forEach(verifier::verifyRecord);
        return verifier.finishVerification();
    }

    private FleetHead head() {
        return tableActorsFixture.currentRows(FleetHead.class).findFirst().orElseThrow();
    }

    private JournalRecord last() {
        return tableActorsFixture.journal().getLast();
    }

    private boolean isDecided(String subject) {
        return tableActorsFixture.journal().stream()
                .anyMatch(record -> record.subject().equals(subject));
    }

    private boolean heard() {
        return tableActorsFixture.journal().stream()
                .anyMatch(record -> record.reason().equals("connected"));
    }

    private long count(DecisionEvent event) {
        return tableActorsFixture.journal().stream()
                .filter(record -> record.event().equals(event.label()))
                .count();
    }

    private void start(
            JournalChapterPolicy rules, Consumer<LoopCrashPoint> crashPoints, OrchestratorListener listener) {
        loop = new OrchestratorLoop(
                OrchestratorLoopConfig.defaults(
                        "loop",
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        rules,
                        crashPoints,
                        listener),
                new StateQueryQueue(GateChain.standard()));
        loop.start();
    }

    private void stopLoop() {
        if (loop != null) {
            loop.close();
            loop = null;
        }
    }
}
