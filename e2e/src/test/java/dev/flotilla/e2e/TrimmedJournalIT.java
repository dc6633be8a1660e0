package dev.flotilla.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.e2e.arena.FleetTestBed;
import dev.flotilla.e2e.arena.JournalFollower;
import dev.flotilla.e2e.arena.ProcessHttpClient;
import dev.flotilla.e2e.arena.RolloutAssertions;
import dev.flotilla.e2e.arena.TestCampaign;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.LogTrimmer;
import dev.flotilla.kafka.PartitionReader;
import dev.flotilla.kafka.TransactionalRowWriter;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult;
import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.orchestrator.journal.JournalChapterIndex;
import dev.flotilla.orchestrator.journal.JournalReader;
import dev.flotilla.orchestrator.journal.JournalVerificationResult;
import dev.flotilla.orchestrator.journal.JournalVerifier;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.json.tree.PrettyJsonPrinter;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.testkit.process.ChildProcess;
import dev.flotilla.testkit.sites.SitesSpec;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trims old chapters of the journal while a campaign runs: the rest is enough for an auditor that starts there. */
@Tag("nightly")
class TrimmedJournalIT {
    private static final SitesSpec SPEC = new SitesSpec(2, 20, 400, 20, 1, 100);
    private static final int CAP = 12;
    private static final int CHAPTERS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void auditorThatStartsAtTheOldestChapterChecksAllThatFollows() {
        TestCampaign testCampaign = new TestCampaign(1);
        try (FleetTestBed fleetTestBed = FleetTestBed.open("trimmed", SPEC, CAP)) {
            JournalFollower journal = fleetTestBed.journal();
            fleetTestBed.startOrchestratorOfShortChapters();
            fleetTestBed.awaitKnown();
            fleetTestBed.startCampaign(testCampaign);
            journal.await(
                    "two chapters",
                    FleetTestBed.PATIENCE,
                    () -> journal.lines(DecisionEvent.CHAPTER_COMPLETED).size() >= CHAPTERS
                            && testCampaign.succeeded(journal) > CAP);
            JournalChapterIndex.ChapterPosition kept = trim(fleetTestBed);
            try (ChildProcess late = fleetTestBed.startAuditor("late-auditor")) {
                journal.await("the campaign is over", FleetTestBed.PATIENCE, () -> testCampaign.isOver(journal));
                ProcessHttpClient.ProcessHttpResponse report = report(fleetTestBed, late, journal.seq());
                assertThat(report.list("violations").stream().map(PrettyJsonPrinter::print))
                        .isEmpty();
                assertThat(report.whole("decisions"))
                        .as("decisions since the chapter began")
                        .isEqualTo(journal.lines().stream()
                                .filter(journalEntry -> journalEntry.seq() > kept.seq()
                                        && !journalEntry.event().equals(DecisionEvent.CHECKPOINT_PART_WRITTEN.label()))
                                .count());
                assertThat(report.whole("inFlight")).isZero();
                assertThat(report.whole("maxInFlight")).isBetween(1L, (long) CAP);
                RolloutAssertions.assertAll(fleetTestBed, testCampaign);
                assertRestIsIntact(fleetTestBed, kept);

                writeRowWithoutDecision(fleetTestBed, journal);
                journal.await(
                        "the late auditor finds a row that no decision wrote",
                        FleetTestBed.PATIENCE,
                        () -> report(fleetTestBed, late, 0).whole("violationCount") == 1);
            }
        }
    }

    /** Deletes all records before the newest complete chapter, as an administrator does. */
    private static JournalChapterIndex.ChapterPosition trim(FleetTestBed fleetTestBed) {
        try (PartitionReader reader = reader(fleetTestBed);
                LogTrimmer trimmer = LogTrimmer.connect(fleetTestBed.kafka(), PATIENCE)) {
            List<JournalChapterIndex.ChapterPosition> chapters =
                    new JournalChapterIndex(reader).listChapters(head(fleetTestBed));
            assertThat(chapters).hasSizeGreaterThanOrEqualTo(CHAPTERS);
            JournalChapterIndex.ChapterPosition kept = chapters.get(0);
            assertThat(trimmer.deleteRecordsBefore(JournalReader.journalPartition(), kept.offset()))
                    .isEqualTo(kept.offset());
            return kept;
        }
    }

    private static void assertRestIsIntact(FleetTestBed fleetTestBed, JournalChapterIndex.ChapterPosition kept) {
        FleetHead head = head(fleetTestBed);
        try (PartitionReader reader = reader(fleetTestBed)) {
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
            System.out.println(
                    "TrimmedJournalIT: " + verdict.records() + " records from " + verdict.firstSeq() + " on, "
                            + verdict.chapters().size() + " chapters, the last of "
                            + verdict.chapters().getLast().rows() + " rows");
        }
    }

    private static ProcessHttpClient.ProcessHttpResponse report(
            FleetTestBed fleetTestBed, ChildProcess auditor, long seq) {
        URI report = auditor.awaitAddress().resolve("/report");
        ProcessHttpClient.ProcessHttpResponse[] last = new ProcessHttpClient.ProcessHttpResponse[1];
        fleetTestBed.journal().await("the late auditor has read everything", FleetTestBed.PATIENCE, () -> {
            last[0] = ProcessHttpClient.get(report);
            return last[0] != null && last[0].flag("caughtUp") && last[0].whole("seq") >= seq;
        });
        return last[0];
    }

    private static void writeRowWithoutDecision(FleetTestBed fleetTestBed, JournalFollower journal) {
        MachineKey machine = journal.machines().iterator().next().key();
        WireRecord row = WireRecordCodec.encode(new MachineStatus(machine, "nobody", null, null, List.of()));
        try (TransactionalRowWriter writer = new TransactionalRowWriter(fleetTestBed.kafka(), "somebody", PATIENCE)) {
            writer.init();
            writer.begin();
            writer.send(new WireRecord(row.topic(), 0, row.key(), row.value(), row.headers()));
            writer.commit();
        }
    }

    private static PartitionReader reader(FleetTestBed fleetTestBed) {
        PartitionReader reader = new PartitionReader(fleetTestBed.kafka(), "test", 1_000, PATIENCE);
        reader.assign(List.of(JournalReader.journalPartition()));
        reader.seekToBeginning(List.of(JournalReader.journalPartition()));
        return reader;
    }

    private static FleetHead head(FleetTestBed fleetTestBed) {
        TablePartition heads = TablePartition.of(Table.HEAD);
        FleetHead head = FleetHead.NONE;
        try (PartitionReader reader = new PartitionReader(fleetTestBed.kafka(), "test", 1_000, PATIENCE)) {
            reader.assign(List.of(heads));
            reader.seekToBeginning(List.of(heads));
            long end = reader.endOffsets(List.of(heads)).getOrDefault(heads, 0L);
            while (reader.nextOffset(heads) < end) {
                for (ConsumedRecord consumedRecord : reader.poll(Duration.ofMillis(100))) {
                    if (WireRecordCodec.decode(consumedRecord.record())
                                    instanceof DecodeResult.Accepted<RowChange> accepted
                            && accepted.value() instanceof FleetHead next) {
                        head = next;
                    }
                }
            }
        }
        return head;
    }
}
