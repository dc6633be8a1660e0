package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.wire.RawRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests an auditor that joins late: it does not guess what was deleted, and checks what follows. */
class LateJoinTest {
    private final List<InvariantViolation> found = new ArrayList<>();
    private final JournalAudit late = new JournalAudit(found::add);

    /** What remains when the journal up to a decision was deleted and the tables were compacted. */
    private void joins(TestTopicRecords testTopicRecords, long gone) {
        List<RawRecord> records = testTopicRecords.taken();
        for (int i = 0; i < records.size(); i++) {
            RawRecord record = records.get(i);
            boolean journal = record.topic().equals("flotilla.journal");
            if (journal ? record.offset() >= gone : isNewest(records, i)) {
                late.process(record);
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
    void startsFromTheTablesWithoutAFalseAlarm() {
        TestTopicRecords testTopicRecords = TestTopicRecords.watched();
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        long open = fleet.admit("w1");
        joins(testTopicRecords, 5);
        int already = testTopicRecords.taken().size();
        fleet.reportSteps("w1", open, "preflight", "starting", "refreshing");
        fleet.succeed("w1", open);
        fleet.upgrade("w2");
        follow(testTopicRecords, already);
        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(11);
        assertThat(late.inFlight()).isZero();
        assertThat(late.findings().unverified()).containsKey("decisions before the start of the audit");
    }

    @Test
    void countsFromTheTables() {
        TestTopicRecords testTopicRecords = TestTopicRecords.watched();
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "1", 5);
        fleet.upgrade("cp");
        fleet.admit("w1");
        joins(testTopicRecords, 5);
        int already = testTopicRecords.taken().size();
        fleet.admit("w2");
        follow(testTopicRecords, already);
        assertThat(found)
                .extracting(InvariantViolation::detail)
                .contains("berlin/fleet/w2 started as number 2 in flight of the fleet, but the cap is 1 (1 of 4)");
    }

    private void follow(TestTopicRecords testTopicRecords, int already) {
        testTopicRecords
                .taken()
                .subList(already, testTopicRecords.taken().size())
                .forEach(late::process);
        late.caughtUp(1);
        late.caughtUp(60_000);
    }

    @Test
    void readsTheTopicsOfAWholeJournalInAnyOrder() {
        TestTopicRecords testTopicRecords = TestTopicRecords.watched();
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        for (String name : new String[] {"cp", "w1", "w2", "w3"}) {
            fleet.upgrade(name);
        }
        List<RawRecord> byTopic = new ArrayList<>(testTopicRecords.taken());
        byTopic.sort((one, other) -> other.topic().compareTo(one.topic()));
        byTopic.forEach(late::process);
        late.caughtUp(0);
        late.caughtUp(60_000);
        assertThat(found).isEmpty();
        assertThat(late.decisions()).isEqualTo(testTopicRecords.seq());
        assertThat(late.isComplete()).isTrue();
    }

    @Test
    void reportsNoViolationWhenCompactionMayHaveRemovedTheReport() {
        TestTopicRecords testTopicRecords = TestTopicRecords.watched();
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long first = fleet.admit("cp");
        fleet.writeReport("cp", first, "{\"type\":\"lease-expired\"}");
        testTopicRecords.decide("attempt-lease-expired", "", fleet.ended("cp", 0, "open"), fleet.noCommand("cp"));
        fleet.upgrade("cp");
        joins(testTopicRecords, 0);
        late.caughtUp(60_000);
        assertThat(found).isEmpty();
        assertThat(late.findings().unverified()).containsKey("records that compaction may have removed");
    }

    @Test
    void findsViolationsThatCompactionCannotExcuse() {
        TestTopicRecords testTopicRecords = TestTopicRecords.watched();
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "starting", "refreshing");
        fleet.decideSuccess("cp", number);
        joins(testTopicRecords, 0);
        late.caughtUp(60_000);
        assertThat(found).extracting(InvariantViolation::invariant).containsExactly(AuditInvariant.PROOF);
    }
}
