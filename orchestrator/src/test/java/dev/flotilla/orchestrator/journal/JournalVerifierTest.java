package dev.flotilla.orchestrator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the verification of valid and invalid chapters. */
class JournalVerifierTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final TestJournalBuilder journal = new TestJournalBuilder();

    @Test
    void rowsDecidedWhileACheckpointIsWrittenBelongToTheNextOne() {
        journal.addDecision(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .startChapter()
                .addDecision(status(EAST, "a", "2"), status(EAST, "c", "1"))
                .addCheckpointPart(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .addDecision(tombstone("b"))
                .completeChapter(3)
                .startChapter()
                .addCheckpointPart(status(EAST, "a", "2"), status(EAST, "c", "1"))
                .completeChapter(3);
        JournalVerificationResult result = journal.verifyFrom(1);
        assertThat(result.holds()).as(result.toString()).isTrue();
        assertThat(result.chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsOnly(CheckpointComparison.SAME);
        assertThat(journal.verifyFrom(2).chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsExactly(CheckpointComparison.FIRST, CheckpointComparison.SAME);
    }

    @Test
    void listsRowsThatDiffer() {
        journal.addDecision(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .startChapter()
                .addCheckpointPart(status(EAST, "a", "other"), status(EAST, "c", "1"))
                .completeChapter(3);
        JournalVerificationResult result = journal.verifyFrom(1);
        assertThat(result.isIntact()).isTrue();
        assertThat(result.holds()).isFalse();
        assertThat(result.chapters().getFirst().differences())
                .containsExactlyInAnyOrder(
                        "status:east/fleet/a differs in the checkpoint",
                        "status:east/fleet/b is not in the checkpoint",
                        "status:east/fleet/c is only in the checkpoint");
    }

    @Test
    void ignoresHeartbeatsAndReadPositions() {
        journal.addDecision(
                        new WatcherHeartbeat(EAST, "uid", "watcher-0", Instant.EPOCH, 0),
                        new SiteHead(EAST, null, null, 0, List.of(), List.of()))
                .startChapter()
                .addCheckpointPart(
                        new WatcherHeartbeat(EAST, "uid", "watcher-1", Instant.ofEpochSecond(9), 0),
                        new SiteHead(EAST, null, null, 4, List.of(), List.of()))
                .completeChapter(3);
        assertThat(journal.verifyFrom(1).holds()).isTrue();
    }

    @Test
    void excusesRowsOfUnwritableSites() {
        journal.addDecision(status(EAST, "a", "1"), status(WEST, "a", "1"))
                .addDecision(new SiteHead(WEST, null, Instant.EPOCH, 1, List.of(), List.of()))
                .startChapter(WEST)
                .addCheckpointPart(
                        status(EAST, "a", "1"), new SiteHead(WEST, null, Instant.EPOCH, 1, List.of(), List.of()))
                .completeChapter(3)
                .addDecision(new SiteHead(WEST, null, null, 1, List.of(), List.of()))
                .startChapter()
                .addCheckpointPart(
                        status(EAST, "a", "1"),
                        status(WEST, "a", "0"),
                        new SiteHead(WEST, null, null, 1, List.of(), List.of()))
                .completeChapter(4);
        JournalVerificationResult result = journal.verifyFrom(1);
        assertThat(result.holds()).as(result.toString()).isTrue();
        assertThat(result.chapters())
                .extracting(ChapterVerificationResult::excusedRows)
                .containsExactly(1L, 1L);
    }

    @Test
    void excusesAKeyWhoseNewestRecordIsUnreadable() {
        WatcherHeartbeat row = new WatcherHeartbeat(EAST, "uid", "watcher-0", Instant.EPOCH, 0);
        RejectedRecord rejectedRecord = new RejectedRecord(
                new RejectedRecordKey("flotilla.inventory.east", 0, "site"),
                7,
                RejectionReason.NOT_JSON,
                "",
                "",
                "is no JSON",
                Instant.EPOCH);
        journal.addDecision(row)
                .addDecision(rejectedRecord)
                .startChapter()
                .addCheckpointPart(rejectedRecord)
                .completeChapter(2);
        assertThat(journal.verifyFrom(1).holds()).isTrue();
        assertThat(journal.verifyFrom(1).chapters().getFirst().excusedRows()).isEqualTo(1);
    }

    @Test
    void dropsAnIncompleteCheckpoint() {
        journal.addDecision(status(EAST, "a", "1"))
                .startChapter()
                .addCheckpointPart(status(EAST, "a", "wrong"), status(EAST, "x", "1"))
                .addDecision(status(EAST, "b", "1"))
                .startChapter()
                .addCheckpointPart(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .completeChapter(3);
        JournalVerificationResult result = journal.verifyFrom(1);
        assertThat(result.holds()).as(result.toString()).isTrue();
        assertThat(result.chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsExactly(CheckpointComparison.INCOMPLETE, CheckpointComparison.SAME);
    }

    @Test
    void reportsMalformedChapters() {
        journal.addDecision(status(EAST, "a", "1"))
                .addCheckpointPart(status(EAST, "a", "1"))
                .startChapter()
                .useWrongCut()
                .addCheckpointPart(status(EAST, "a", "1"), status(EAST, "a", "1"))
                .completeChapter(9);
        assertThat(journal.verifyFrom(1).problems())
                .anyMatch(problem -> problem.contains("that no record starts"))
                .anyMatch(problem -> problem.contains("a second time"))
                .anyMatch(problem -> problem.contains("is not the start of its chapter"))
                .anyMatch(problem -> problem.contains("has 9 rows, but it has 3"));
    }

    @Test
    void stateAtAnInstantIsTheSameFromTheBeginningAndFromAChapter() {
        journal.addDecision(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .startChapter()
                .addDecision(status(EAST, "a", "2"), tombstone("b"))
                .addCheckpointPart(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .completeChapter(3)
                .addDecision(status(EAST, "c", "1"));
        List<JournalRecord> records =
                journal.records().stream().map(JournalReader::decodeRecord).toList();
        for (int second = 2; second <= records.size(); second++) {
            Instant instant = Instant.ofEpochSecond(second);
            assertThat(FullJournalReplay.stateHashFromChapter(2, records, instant))
                    .as("as of %s", instant)
                    .isEqualTo(FullJournalReplay.stateHash(records, instant));
        }
        PointInTimeState before = new PointInTimeState(Instant.ofEpochSecond(1));
        journal.records().stream()
                .skip(1)
                .map(JournalReader::decodeRecord)
                .takeWhile(before::applyRecord)
                .forEach(record -> {});
        assertThat(before.state()).isNull();
    }

    private static MachineStatus status(SiteId site, String name, String uid) {
        return new MachineStatus(new MachineKey(site, "fleet", name), uid, null, null, List.of());
    }

    private static Tombstone tombstone(String name) {
        return new Tombstone(new RowKey(Table.STATUS, new MachineKey(EAST, "fleet", name)));
    }
}
