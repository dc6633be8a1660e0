package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import dev.flotilla.auditor.wire.RawRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests chapters of the journal: an audit may start with one, and an audit that started earlier ignores their rows. */
class ChapterStartTest {
    private final List<InvariantViolation> found = new ArrayList<>();
    private final JournalAudit late = new JournalAudit(found::add);
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();

    /** The newest row of each key of the tables, and the journal after a record. */
    private void joins(long from) {
        List<RawRecord> records = testTopicRecords.taken();
        Set<String> newer = new HashSet<>();
        List<RawRecord> left = new ArrayList<>();
        for (RawRecord record : records.reversed()) {
            boolean journal = record.topic().equals("flotilla.journal");
            if (journal ? record.offset() >= from - 1 : newer.add(record.topic() + " " + record.key())) {
                left.addFirst(record);
            }
        }
        left.forEach(late::process);
        late.caughtUp(0);
        late.caughtUp(60_000);
    }

    @Test
    void anAuditFromAChapterChecksEachLaterDecision() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        List<TopicRow> rows = testTopicRecords.beginChapter();
        long chapter = testTopicRecords.seq();
        fleet.reportSteps("w1", open, "preflight", "starting");
        testTopicRecords.checkpoint(rows.subList(0, 4));
        long second = fleet.admit("w2");
        testTopicRecords.checkpoint(rows.subList(4, rows.size()));
        testTopicRecords.decide("chapter-completed", "");
        fleet.reportSteps("w1", open, "refreshing");
        fleet.succeed("w1", open);
        fleet.reportSteps("w2", second, "preflight", "starting", "refreshing");
        fleet.succeed("w2", second);
        fleet.admit("w3");

        joins(chapter);

        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(testTopicRecords.seq() - chapter - 2);
        assertThat(late.inFlight()).isEqualTo(1);
        assertThat(late.maxInFlight()).isEqualTo(2);
        assertThat(late.findings().unverified()).containsEntry("decisions before the start of the audit", 1L);
    }

    @Test
    void acceptsHeadRowsReadBeforeTheirRecords() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        List<TopicRow> rows = testTopicRecords.beginChapter();
        long chapter = testTopicRecords.seq();
        testTopicRecords.checkpoint(rows);
        testTopicRecords.decide("chapter-completed", "");
        fleet.upgrade("w1");

        List<RawRecord> heads = testTopicRecords.taken().stream()
                .filter(record -> record.topic().equals("flotilla.head"))
                .toList();
        heads.forEach(late::process);
        joins(chapter);

        assertThat(found).isEmpty();
    }

    @Test
    void findsAViolationWhileTheCheckpointIsWritten() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "1", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        List<TopicRow> rows = testTopicRecords.beginChapter();
        long chapter = testTopicRecords.seq();
        fleet.admit("w2");
        testTopicRecords.checkpoint(rows);
        testTopicRecords.decide("chapter-completed", "");

        joins(chapter);

        assertThat(found)
                .extracting(InvariantViolation::detail)
                .containsExactly(
                        "berlin/fleet/w2 started as number 2 in flight of the fleet, but the cap is 1 (1 of 4)");
    }

    @Test
    void doesNotStartFromAnIncompleteCheckpoint() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        List<TopicRow> rows = testTopicRecords.beginChapter();
        long chapter = testTopicRecords.seq();
        testTopicRecords.checkpoint(rows.subList(0, 4));
        fleet.upgrade("w1");
        fleet.admit("w2");

        joins(chapter);

        assertThat(found).isEmpty();
        assertThat(late.decisions()).isZero();
        assertThat(late.inFlight()).isEqualTo(1);
    }

    @Test
    void anEarlierAuditIgnoresTheCheckpointsRows() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        List<TopicRow> rows = testTopicRecords.beginChapter();
        fleet.reportSteps("w1", open, "preflight", "starting", "refreshing");
        fleet.succeed("w1", open);
        testTopicRecords.checkpoint(rows);
        testTopicRecords.decide("chapter-completed", "");

        testTopicRecords.over();

        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.inFlight()).isZero();
    }
}
