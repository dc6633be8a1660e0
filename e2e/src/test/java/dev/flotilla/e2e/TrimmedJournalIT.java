package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.DecisionEvent;
import dev.flotilla.e2e.arena.Arena;
import dev.flotilla.e2e.arena.Http;
import dev.flotilla.e2e.arena.Journal;
import dev.flotilla.e2e.arena.JvmProcess;
import dev.flotilla.e2e.arena.Rollout;
import dev.flotilla.e2e.arena.Verdict;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.runtime.kafka.LogTrimmer;
import dev.flotilla.runtime.kafka.PartitionReader;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.TransactionalRowWriter;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.testkit.sites.SitesSpec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The journal's old chapters go while a campaign runs: what is left is enough for whoever begins there. */
@Tag("whole")
class TrimmedJournalIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 400, 20, 1, 100);
    private static final int CAP = 12;
    private static final int CHAPTERS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void anAuditorThatBeginsAtTheFirstChapterLeftChecksAllThatFollows() {
        Rollout rollout = new Rollout(1);
        try (Arena arena = Arena.open("trimmed", SPEC, CAP)) {
            Journal journal = arena.journal();
            arena.startOrchestratorOfShortChapters();
            arena.awaitKnown();
            arena.begin(rollout);
            journal.await(
                    "two chapters",
                    Arena.PATIENCE,
                    () -> journal.lines(DecisionEvent.CHAPTER_COMPLETED).size() >= CHAPTERS
                            && rollout.succeeded(journal) > CAP);
            JournalChapterIndex.ChapterPosition kept = trim(arena);
            try (JvmProcess late = arena.startAuditor("late-auditor")) {
                journal.await("the campaign is over", Arena.PATIENCE, () -> rollout.isOver(journal));
                Http.Answer report = report(arena, late, journal.seq());
                assertThat(report.list("violations").stream().map(PrettyJsonPrinter::print))
                        .isEmpty();
                assertThat(report.whole("decisions"))
                        .as("decisions since the chapter began")
                        .isEqualTo(journal.lines().stream()
                                .filter(line ->
                                        line.seq() > kept.seq() && !line.event().equals(DecisionEvent.CHECKPOINTED.label()))
                                .count());
                assertThat(report.whole("inFlight")).isZero();
                assertThat(report.whole("maxInFlight")).isBetween(1L, (long) CAP);
                Verdict.holds(arena, rollout);
                whatIsLeftIsWhole(arena, kept);

                writesWhatNobodyDecided(arena, journal);
                journal.await(
                        "the late auditor finds a row that no decision wrote",
                        Arena.PATIENCE,
                        () -> report(arena, late, 0).whole("violationCount") == 1);
            }
        }
    }

    /** Deletes all before the newest whole chapter, as an administrator does. */
    private static JournalChapterIndex.ChapterPosition trim(Arena arena) {
        try (PartitionReader reader = reader(arena);
                LogTrimmer trimmer = LogTrimmer.connect(arena.kafka(), PATIENCE)) {
            List<JournalChapterIndex.ChapterPosition> chapters = new JournalChapterIndex(reader).listChapters(head(arena));
            assertThat(chapters).hasSizeGreaterThanOrEqualTo(CHAPTERS);
            JournalChapterIndex.ChapterPosition kept = chapters.get(0);
            assertThat(trimmer.deleteRecordsBefore(JournalReader.journalPartition(), kept.offset())).isEqualTo(kept.offset());
            return kept;
        }
    }

    private static void whatIsLeftIsWhole(Arena arena, JournalChapterIndex.ChapterPosition kept) {
        FleetHead head = head(arena);
        try (PartitionReader reader = reader(arena)) {
            JournalVerifier verifier = new JournalVerifier(JournalReader.beginning(reader) == 0, head);
            JournalReader.readAll(reader, verifier::verifyRecord);
            JournalVerificationResult verdict = verifier.finishVerification();
            assertThat(verdict.problems()).isEmpty();
            assertThat(verdict.brokenReason()).isEmpty();
            assertThat(verdict.firstSeq()).isEqualTo(kept.seq());
            assertThat(verdict.chapters())
                    .extracting(ChapterVerificationResult::comparison)
                    .startsWith(CheckpointComparison.FIRST)
                    .doesNotContain(CheckpointComparison.DIFFERENT);
            System.out.println("TrimmedJournalIT: " + verdict.records() + " records from " + verdict.firstSeq() + " on, "
                    + verdict.chapters().size() + " chapters, the last of "
                    + verdict.chapters().getLast().rows() + " rows");
        }
    }

    private static Http.Answer report(Arena arena, JvmProcess auditor, long seq) {
        URI report = auditor.uri().resolve("/report");
        Http.Answer[] last = new Http.Answer[1];
        arena.journal().await("the late auditor has read everything", Arena.PATIENCE, () -> {
            last[0] = Http.get(report);
            return last[0] != null && last[0].flag("caughtUp") && last[0].whole("seq") >= seq;
        });
        return last[0];
    }

    private static void writesWhatNobodyDecided(Arena arena, Journal journal) {
        MachineKey machine = journal.machines().iterator().next().key();
        WireRecord row = WireRecordCodec.encode(new MachineStatus(machine, "nobody", null, null, List.of()));
        try (TransactionalRowWriter writer = new TransactionalRowWriter(arena.kafka(), "somebody", PATIENCE)) {
            writer.init();
            writer.begin();
            writer.send(new WireRecord(row.topic(), 0, row.key(), row.value(), row.headers()));
            writer.commit();
        }
    }

    private static PartitionReader reader(Arena arena) {
        PartitionReader reader = new PartitionReader(arena.kafka(), "test", 1_000, PATIENCE);
        reader.assign(List.of(JournalReader.journalPartition()));
        reader.seekToBeginning(List.of(JournalReader.journalPartition()));
        return reader;
    }

    private static FleetHead head(Arena arena) {
        TablePartition heads = TablePartition.of(Table.HEAD);
        FleetHead head = FleetHead.NONE;
        try (PartitionReader reader = new PartitionReader(arena.kafka(), "test", 1_000, PATIENCE)) {
            reader.assign(List.of(heads));
            reader.seekToBeginning(List.of(heads));
            long end = reader.endOffsets(List.of(heads)).getOrDefault(heads, 0L);
            while (reader.nextOffset(heads) < end) {
                for (ConsumedRecord consumedRecord : reader.poll(Duration.ofMillis(100))) {
                    if (WireRecordCodec.decode(consumedRecord.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                            && accepted.value() instanceof FleetHead next) {
                        head = next;
                    }
                }
            }
        }
        return head;
    }
}
