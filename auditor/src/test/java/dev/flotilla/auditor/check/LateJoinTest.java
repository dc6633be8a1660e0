package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.wire.RawRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An auditor that joins late: what is gone it does not guess, and what follows it checks. */
class LateJoinTest {
    private final List<Violation> found = new ArrayList<>();
    private final Audit late = new Audit(found::add);

    /** All that still stands when the journal up to a decision is gone, and of each key only the newest row. */
    private void joins(Story story, long gone) {
        List<RawRecord> records = story.taken();
        for (int i = 0; i < records.size(); i++) {
            RawRecord record = records.get(i);
            boolean journal = record.topic().equals("flotilla.journal");
            if (journal ? record.offset() >= gone : isNewest(records, i)) {
                late.take(record);
            }
        }
        late.caughtUp(0);
    }

    private static boolean isNewest(List<RawRecord> records, int index) {
        RawRecord record = records.get(index);
        return records.subList(index + 1, records.size()).stream()
                .noneMatch(later -> later.topic().equals(record.topic())
                        && String.valueOf(later.key()).equals(record.key()));
    }

    @Test
    void goesOnFromTheTablesWithoutAFalseAlarm() {
        Story story = Story.watched();
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        joins(story, 5);
        int already = story.taken().size();
        fleet.steps("w1", open, "preflight", "starting", "refreshing");
        fleet.succeed("w1", open);
        fleet.upgrade("w2");
        follow(story, already);
        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(11);
        assertThat(late.inFlight()).isZero();
        assertThat(late.findings().unverified()).containsKey("decisions before the base");
    }

    @Test
    void countsFromTheTables() {
        Story story = Story.watched();
        SmallFleet fleet = SmallFleet.in(story, "1", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        joins(story, 5);
        int already = story.taken().size();
        fleet.admit("w2");
        follow(story, already);
        assertThat(found)
                .extracting(Violation::detail)
                .contains("berlin/fleet/w2 started as number 2 in flight of the fleet, where the cap is 1 (1 of 4)");
    }

    private void follow(Story story, int already) {
        story.taken().subList(already, story.taken().size()).forEach(late::take);
        late.caughtUp(1);
        late.caughtUp(60_000);
    }

    @Test
    void readsAWholeJournalInAnyOrderOfTopics() {
        Story story = Story.watched();
        SmallFleet fleet = SmallFleet.in(story);
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        List<RawRecord> byTopic = new ArrayList<>(story.taken());
        byTopic.sort((one, other) -> other.topic().compareTo(one.topic()));
        byTopic.forEach(late::take);
        late.caughtUp(0);
        late.caughtUp(60_000);
        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(story.seq());
        assertThat(late.isSettled()).isTrue();
    }

    @Test
    void doesNotAccuseWhereCompactionHasTakenTheWord() {
        Story story = Story.watched();
        SmallFleet fleet = SmallFleet.in(story);
        long first = fleet.admit("cp");
        fleet.says("cp", first, "{\"says\":\"expired\"}");
        story.decide("attempt-expired", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        fleet.upgrade("cp");
        joins(story, 0);
        late.caughtUp(60_000);
        assertThat(found).isEmpty();
        assertThat(late.findings().unverified()).containsKey("records that compaction may have taken");
    }

    @Test
    void findsOfHistoryWhatCompactionCannotExcuse() {
        Story story = Story.watched();
        SmallFleet fleet = SmallFleet.in(story);
        long number = fleet.admit("cp");
        fleet.steps("cp", number, "starting", "refreshing");
        fleet.success("cp", number);
        joins(story, 0);
        late.caughtUp(60_000);
        assertThat(found).extracting(Violation::invariant).containsExactly(Invariant.PROOF);
    }
}
