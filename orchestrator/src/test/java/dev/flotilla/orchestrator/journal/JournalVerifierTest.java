package dev.flotilla.orchestrator.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.orchestrator.journal.ChapterVerificationResult.CheckpointComparison;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RejectionReason;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What verifying says of chapters that are not as they should be, and of those that are. */
class JournalVerifierTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final TestJournalBuilder journal = new TestJournalBuilder();

    @Test
    void rowsDecidedWhileACheckpointIsWrittenBelongToTheNextOne() {
        journal.decided(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .begins()
                .decided(status(EAST, "a", "2"), status(EAST, "c", "1"))
                .checkpoint(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .decided(gone("b"))
                .completes(3)
                .begins()
                .checkpoint(status(EAST, "a", "2"), status(EAST, "c", "1"))
                .completes(3);
        JournalVerificationResult verdict = journal.verdict(1);
        assertThat(verdict.holds()).as(verdict.toString()).isTrue();
        assertThat(verdict.chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsOnly(CheckpointComparison.SAME);
        assertThat(journal.verdict(2).chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsExactly(CheckpointComparison.FIRST, CheckpointComparison.SAME);
    }

    @Test
    void rowsThatDifferAreNamed() {
        journal.decided(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .begins()
                .checkpoint(status(EAST, "a", "other"), status(EAST, "c", "1"))
                .completes(3);
        JournalVerificationResult verdict = journal.verdict(1);
        assertThat(verdict.isIntact()).isTrue();
        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.chapters().getFirst().differences())
                .containsExactlyInAnyOrder(
                        "status:east/fleet/a differs in the checkpoint",
                        "status:east/fleet/b is not in the checkpoint",
                        "status:east/fleet/c is only in the checkpoint");
    }

    @Test
    void heartbeatsAndStampsThatNothingWasDecidedByAreNoDifference() {
        journal.decided(
                        new WatcherHeartbeat(EAST, "uid", "watcher-0", Instant.EPOCH, 0),
                        new SiteHead(EAST, null, null, 0, List.of(), List.of()))
                .begins()
                .checkpoint(
                        new WatcherHeartbeat(EAST, "uid", "watcher-1", Instant.ofEpochSecond(9), 0),
                        new SiteHead(EAST, null, null, 4, List.of(), List.of()))
                .completes(3);
        assertThat(journal.verdict(1).holds()).isTrue();
    }

    @Test
    void rowsOfSitesThatCouldNotBeWrittenAreExcused() {
        journal.decided(status(EAST, "a", "1"), status(WEST, "a", "1"))
                .decided(new SiteHead(WEST, null, Instant.EPOCH, 1, List.of(), List.of()))
                .begins(WEST)
                .checkpoint(status(EAST, "a", "1"), new SiteHead(WEST, null, Instant.EPOCH, 1, List.of(), List.of()))
                .completes(3)
                .decided(new SiteHead(WEST, null, null, 1, List.of(), List.of()))
                .begins()
                .checkpoint(
                        status(EAST, "a", "1"),
                        status(WEST, "a", "0"),
                        new SiteHead(WEST, null, null, 1, List.of(), List.of()))
                .completes(4);
        JournalVerificationResult verdict = journal.verdict(1);
        assertThat(verdict.holds()).as(verdict.toString()).isTrue();
        assertThat(verdict.chapters())
                .extracting(ChapterVerificationResult::excusedRows)
                .containsExactly(1L, 1L);
    }

    @Test
    void aKeyWhoseNewestRecordNobodyCanReadIsExcused() {
        WatcherHeartbeat row = new WatcherHeartbeat(EAST, "uid", "watcher-0", Instant.EPOCH, 0);
        RejectedRecord rejectedRecord = new RejectedRecord(
                new RejectedRecordKey("flotilla.inventory.east", 0, "site"),
                7,
                RejectionReason.NOT_JSON,
                "",
                "",
                "is no JSON",
                Instant.EPOCH);
        journal.decided(row)
                .decided(rejectedRecord)
                .begins()
                .checkpoint(rejectedRecord)
                .completes(2);
        assertThat(journal.verdict(1).holds()).isTrue();
        assertThat(journal.verdict(1).chapters().getFirst().excusedRows()).isEqualTo(1);
    }

    @Test
    void aCheckpointThatWasLeftUndoneIsForgotten() {
        journal.decided(status(EAST, "a", "1"))
                .begins()
                .checkpoint(status(EAST, "a", "wrong"), status(EAST, "x", "1"))
                .decided(status(EAST, "b", "1"))
                .begins()
                .checkpoint(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .completes(3);
        JournalVerificationResult verdict = journal.verdict(1);
        assertThat(verdict.holds()).as(verdict.toString()).isTrue();
        assertThat(verdict.chapters())
                .extracting(ChapterVerificationResult::comparison)
                .containsExactly(CheckpointComparison.INCOMPLETE, CheckpointComparison.SAME);
    }

    @Test
    void chaptersThatAreNotWellFormedAreTold() {
        journal.decided(status(EAST, "a", "1"))
                .checkpoint(status(EAST, "a", "1"))
                .begins()
                .mistakesTheCut()
                .checkpoint(status(EAST, "a", "1"), status(EAST, "a", "1"))
                .completes(9);
        assertThat(journal.verdict(1).problems())
                .anyMatch(problem -> problem.contains("that no record starts"))
                .anyMatch(problem -> problem.contains("a second time"))
                .anyMatch(problem -> problem.contains("is not the start of its chapter"))
                .anyMatch(problem -> problem.contains("has 9 rows, but it has 3"));
    }

    @Test
    void theStateOfThenIsTheSameFromTheBeginningAndFromAChapter() {
        journal.decided(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .begins()
                .decided(status(EAST, "a", "2"), gone("b"))
                .checkpoint(status(EAST, "a", "1"), status(EAST, "b", "1"))
                .completes(3)
                .decided(status(EAST, "c", "1"));
        List<JournalRecord> records =
                journal.reads().stream().map(JournalReader::decodeRecord).toList();
        for (int second = 2; second <= records.size(); second++) {
            Instant instant = Instant.ofEpochSecond(second);
            assertThat(FullJournalReplay.hashFrom(2, records, instant))
                    .as("as of %s", instant)
                    .isEqualTo(FullJournalReplay.hash(records, instant));
        }
        PointInTimeState before = new PointInTimeState(Instant.ofEpochSecond(1));
        journal.reads().stream()
                .skip(1)
                .map(JournalReader::decodeRecord)
                .takeWhile(before::applyRecord)
                .forEach(record -> {});
        assertThat(before.state()).isNull();
    }

    private static MachineStatus status(SiteId site, String name, String uid) {
        return new MachineStatus(new MachineKey(site, "fleet", name), uid, null, null, List.of());
    }

    private static Tombstone gone(String name) {
        return new Tombstone(new RowKey(Table.STATUS, new MachineKey(EAST, "fleet", name)));
    }
}
