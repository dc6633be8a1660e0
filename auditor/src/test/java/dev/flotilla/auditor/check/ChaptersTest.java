package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.Story.Row;
import dev.flotilla.auditor.wire.RawRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Chapters of the journal: where an audit may begin, and what they say to one that was there before. */
class ChaptersTest {
    private final List<Violation> found = new ArrayList<>();
    private final Audit late = new Audit(found::add);
    private final Story story = Story.watched();

    /** Of the tables the newest row of each key is left, and of the journal what follows a record. */
    private void joins(long from) {
        List<RawRecord> records = story.taken();
        Set<String> newer = new HashSet<>();
        List<RawRecord> left = new ArrayList<>();
        for (RawRecord record : records.reversed()) {
            boolean journal = record.topic().equals("flotilla.journal");
            if (journal ? record.offset() >= from - 1 : newer.add(record.topic() + " " + record.key())) {
                left.addFirst(record);
            }
        }
        left.forEach(late::take);
        late.caughtUp(0);
        late.caughtUp(60_000);
    }

    @Test
    void anAuditThatBeginsAtAChapterChecksEachDecisionAfterIt() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        List<Row> rows = story.beginChapter();
        long chapter = story.seq();
        fleet.steps("w1", open, "preflight", "starting");
        story.checkpoint(rows.subList(0, 4));
        long second = fleet.admit("w2");
        story.checkpoint(rows.subList(4, rows.size()));
        story.decide("chapter-completed", "");
        fleet.steps("w1", open, "refreshing");
        fleet.succeed("w1", open);
        fleet.steps("w2", second, "preflight", "starting", "refreshing");
        fleet.succeed("w2", second);
        fleet.admit("w3");

        joins(chapter);

        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(story.seq() - chapter - 2);
        assertThat(late.inFlight()).isEqualTo(1);
        assertThat(late.maxInFlight()).isEqualTo(2);
        assertThat(late.findings().unverified()).containsEntry("decisions before the base", 1L);
    }

    @Test
    void headsThatWereReadBeforeTheirRecordsAreNoDecisionsThatTheJournalLacks() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        List<Row> rows = story.beginChapter();
        long chapter = story.seq();
        story.checkpoint(rows);
        story.decide("chapter-completed", "");
        fleet.upgrade("w1");

        List<RawRecord> heads = story.taken().stream()
                .filter(record -> record.topic().equals("flotilla.head"))
                .toList();
        heads.forEach(late::take);
        joins(chapter);

        assertThat(found).isEmpty();
    }

    @Test
    void aViolationWhileTheCheckpointWasWrittenIsFound() {
        SmallFleet fleet = SmallFleet.in(story, "1", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        List<Row> rows = story.beginChapter();
        long chapter = story.seq();
        fleet.admit("w2");
        story.checkpoint(rows);
        story.decide("chapter-completed", "");

        joins(chapter);

        assertThat(found)
                .extracting(Violation::detail)
                .containsExactly(
                        "berlin/fleet/w2 started as number 2 in flight of the fleet, where the cap is 1 (1 of 4)");
    }

    @Test
    void aCheckpointThatNobodyFinishedIsNoBeginning() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        List<Row> rows = story.beginChapter();
        long chapter = story.seq();
        story.checkpoint(rows.subList(0, 4));
        fleet.upgrade("w1");
        fleet.admit("w2");

        joins(chapter);

        assertThat(found).isEmpty();
        assertThat(late.decisions()).isZero();
        assertThat(late.inFlight()).isEqualTo(1);
    }

    @Test
    void whoWasThereBeforeIsNotToldOldRowsByACheckpoint() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        List<Row> rows = story.beginChapter();
        fleet.steps("w1", open, "preflight", "starting", "refreshing");
        fleet.succeed("w1", open);
        story.checkpoint(rows);
        story.decide("chapter-completed", "");

        story.over();

        assertThat(story.found).isEmpty();
        assertThat(story.audit.inFlight()).isZero();
    }
}
