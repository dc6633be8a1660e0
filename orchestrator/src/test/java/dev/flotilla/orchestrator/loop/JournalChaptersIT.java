package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.orchestrator.chapter.ChapterRules;
import dev.flotilla.orchestrator.journal.ChapterReport;
import dev.flotilla.orchestrator.journal.ChapterReport.Compared;
import dev.flotilla.orchestrator.journal.JournalReading;
import dev.flotilla.orchestrator.journal.JournalVerdict;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.orchestrator.journal.PlainReplay;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.runtime.kafka.KafkaClientSettings;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.testkit.kafka.LocalKafka;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Chapters on a real Kafka: begun, written while decisions go on, left undone by a leader that dies. */
class JournalChaptersIT {
    private static final SiteId EAST = new SiteId("east");
    private static final ChapterRules LONG = new ChapterRules(Duration.ofDays(1), Long.MAX_VALUE, Duration.ofHours(1));

    private LocalKafka kafka;
    private Field field;
    private @Nullable OrchestratorLoop loop;

    @BeforeEach
    void start() {
        kafka = LocalKafka.start();
        field = new Field(kafka.bootstrap(), List.of(EAST));
    }

    @AfterEach
    void stop() {
        stopLoop();
        field.close();
        kafka.close();
    }

    @Test
    void theFirstLeaderBeginsTheFirstChapterAndTheNextOneGoesOnWithIt() {
        start(LONG, step -> {}, new Silent());
        field.await("a chapter", () -> count(DecisionEvent.CHAPTER_COMPLETED) == 1);
        stopLoop();
        start(LONG, step -> {}, new Silent());
        field.write(Field.heartbeat(EAST));
        field.await("another term and what it decides", () -> count(DecisionEvent.LEADER_ELECTED) == 2 && heard());
        assertThat(count(DecisionEvent.CHAPTER_STARTED)).isEqualTo(1);
        JournalChapter chapter = head().chapter();
        assertThat(chapter).isNotNull();
        assertThat(chapter.isComplete()).isTrue();
        ConsumedRecord began = field.journalAsStored().stream()
                .filter(consumedRecord -> consumedRecord.offset() == chapter.offset())
                .findFirst()
                .orElseThrow();
        assertThat(JournalReading.record(began).seq()).isEqualTo(chapter.seq());
    }

    @Test
    void eachCheckpointHasTheRowsToWhichTheChapterBeforeLeadsWhileDecisionsGoOn() {
        start(new ChapterRules(Duration.ofDays(1), 10_000, Duration.ofSeconds(1)), step -> {}, new Silent());
        upgrade(100, 4);
        for (int i = 1_000; count(DecisionEvent.CHAPTER_COMPLETED) < 5; i++) {
            MachineRow late = Field.worker(EAST, "k1", i);
            field.write(late);
            field.await("it is decided on", () -> isDecided(late.key().toString()));
        }
        stopLoop();
        field.await("all of the journal", () -> head().seq() == last().seq());

        JournalVerdict verdict = verify();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.isIntact()).isTrue();
        assertThat(verdict.chapters().stream().filter(chapter -> chapter.compared() == Compared.SAME))
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(verdict.chapters()).noneMatch(chapter -> chapter.excused() > 0);
        aChapterAloneGivesAnyInstantInIt(verdict.chapters());
    }

    private void aChapterAloneGivesAnyInstantInIt(List<ChapterReport> chapters) {
        for (ChapterReport chapter : chapters) {
            if (chapter.compared() == Compared.SAME) {
                Set<Instant> instants = new HashSet<>();
                field.journal().stream()
                        .filter(record -> record.seq() >= chapter.seq())
                        .map(JournalRecord::decidedAt)
                        .limit(60)
                        .forEach(instants::add);
                for (Instant instant : instants) {
                    assertThat(PlainReplay.hashFrom(chapter.seq(), field.journal(), instant))
                            .as("as of %s, from chapter %s on", instant, chapter.seq())
                            .isEqualTo(PlainReplay.hash(field.journal(), instant));
                }
            }
        }
    }

    @Test
    void aChapterThatALeaderLeftUndoneIsFollowedByANewOne() {
        AtomicBoolean within = new AtomicBoolean();
        AtomicBoolean died = new AtomicBoolean();
        field.write(IntStream.range(0, 2_000)
                .mapToObj(i -> Field.worker(EAST, "k1", i))
                .toList());
        start(
                LONG,
                step -> {
                    if (step == Step.SENT && within.get() && died.compareAndSet(false, true)) {
                        throw new KafkaFailure(KafkaFailure.Kind.FENCED, "as the test wants it", null);
                    }
                },
                new Silent() {
                    @Override
                    public void committed(List<Decision> decisions, List<WireRecord> records, long millis) {
                        if (decisions.stream().anyMatch(decision -> decision.event() == DecisionEvent.CHECKPOINTED)) {
                            within.set(true);
                        }
                    }
                });
        field.await("a whole chapter of the next term", () -> count(DecisionEvent.CHAPTER_COMPLETED) == 1);
        assertThat(died).isTrue();
        stopLoop();
        field.await("all of the journal", () -> head().seq() == last().seq());

        JournalVerdict verdict = verify();
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.chapters()).extracting(ChapterReport::compared).contains(Compared.INCOMPLETE, Compared.SAME);
        assertThat(verdict.chapters().getLast().rows()).isGreaterThan(2_000);
        assertThat(head().chapter().previous()).isNull();
    }

    private void upgrade(int workers, int cap) {
        field.write(Wishes.policy(cap));
        field.write(Field.heartbeat(EAST), Field.cluster(EAST, "k1", workers));
        field.write(IntStream.range(0, workers)
                .mapToObj(i -> Field.worker(EAST, "k1", i))
                .toList());
        field.write(Wishes.campaign());
        Set<Long> answered = new HashSet<>();
        while (answered.size() < workers) {
            field.await(
                    "a start",
                    () -> field.now(WorkerCommand.UpgradeMachine.class)
                            .anyMatch(command -> !answered.contains(command.attemptId())));
            List<WorkerCommand.UpgradeMachine> open =
                    field.now(WorkerCommand.UpgradeMachine.class).toList();
            for (WorkerCommand.UpgradeMachine command : open) {
                if (answered.add(command.attemptId())) {
                    field.write(field.succeeded(command));
                }
            }
        }
    }

    private JournalVerdict verify() {
        JournalVerifier verifier = new JournalVerifier(true, head());
        field.journalAsStored().forEach(verifier::take);
        return verifier.end();
    }

    private FleetHead head() {
        return field.now(FleetHead.class).findFirst().orElseThrow();
    }

    private JournalRecord last() {
        return field.journal().getLast();
    }

    private boolean isDecided(String subject) {
        return field.journal().stream().anyMatch(record -> record.subject().equals(subject));
    }

    private boolean heard() {
        return field.journal().stream().anyMatch(record -> record.reason().equals("heard"));
    }

    private long count(DecisionEvent event) {
        return field.journal().stream()
                .filter(record -> record.event().equals(event.label()))
                .count();
    }

    private void start(ChapterRules rules, Step.Witness witness, LoopListener listener) {
        loop = new OrchestratorLoop(
                Surroundings.usual(
                        "loop",
                        KafkaClientSettings.forLocalBroker(kafka.bootstrap()),
                        FleetDecider::standard,
                        rules,
                        witness,
                        listener),
                new Mailbox(GateChain.standard()));
        loop.start();
    }

    private void stopLoop() {
        if (loop != null) {
            loop.close();
            loop = null;
        }
    }
}
