package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests invariant 9: one hash chain, one writer, and tables that match the journal. */
class SingleWriterTest {
    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);

    private void expect(AuditInvariant auditInvariant, String words) {
        testTopicRecords.over();
        assertThat(testTopicRecords.found).as("violations").isNotEmpty();
        assertThat(testTopicRecords.found.get(0).invariant())
                .as("first of " + testTopicRecords.found)
                .isEqualTo(auditInvariant);
        assertThat(testTopicRecords.found.get(0).detail()).contains(words);
    }

    @Test
    void findsAGapInTheJournal() {
        testTopicRecords.skipNumbers(1);
        testTopicRecords.decide("leader-elected", "");
        expect(AuditInvariant.JOURNAL, "decision 12 follows decision 10");
    }

    @Test
    void findsADuplicateNumber() {
        testTopicRecords.skipNumbers(-2);
        testTopicRecords.decide("leader-elected", "");
        expect(AuditInvariant.JOURNAL, "decision 9 follows decision 10");
    }

    @Test
    void findsAChangedRecord() {
        testTopicRecords.previous("0123456789abcdef");
        testTopicRecords.decide("leader-elected", "");
        expect(AuditInvariant.JOURNAL, "has previous hash 0123456789ab");
    }

    @Test
    void findsTimeThatGoesBack() {
        testTopicRecords.seconds(-60);
        testTopicRecords.decide("leader-elected", "");
        expect(AuditInvariant.JOURNAL, "has an earlier time than the one before");
    }

    @Test
    void findsARowOfAFencedLeader() {
        long number = fleet.admit("cp");
        fleet.reportSteps("cp", number, "preflight");
        testTopicRecords.write(
                fleet.attempt(
                        "cp",
                        number,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant() + "\"",
                        false),
                number);
        expect(AuditInvariant.ZOMBIE, "is of decision 11, but the table already had 12");
    }

    @Test
    void findsACommandWithoutADecision() {
        testTopicRecords.write(fleet.upgrade("w1", 3, 900), testTopicRecords.seq());
        expect(AuditInvariant.ZOMBIE, "claims to be of decision 10, which wrote no such row");
    }

    @Test
    void findsACommandOfADecisionThatNeverComes() {
        testTopicRecords.write(fleet.upgrade("w1", 11, 900), testTopicRecords.next());
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine("w1", false));
        expect(AuditInvariant.ZOMBIE, "claims to be of decision 11, which wrote no such row");
    }

    /** A newer orchestrator may have written it, which this auditor cannot audit. */
    @Test
    void findsACommandThatItCannotRead() {
        TestTopicRecords.TopicRow command = fleet.upgrade("w1", 11, 900);
        testTopicRecords.write(
                SmallFleetFixture.row(
                        "commands.berlin",
                        command.key(),
                        String.valueOf(command.json()).replace("\"type\":\"upgrade\"", "\"type\":\"reboot\"")),
                testTopicRecords.seq());
        expect(AuditInvariant.ZOMBIE, "is unreadable: it is an unknown command");
    }

    @Test
    void findsARowOfAnotherWriter() {
        testTopicRecords.write(fleet.upgrade("w1", 11, 900), null);
        expect(AuditInvariant.ZOMBIE, "has no decision number");
    }

    @Test
    void findsARowThatDiffersFromTheJournal() {
        long number = fleet.admit("cp");
        testTopicRecords.journal("attempt-renewed", "", fleet.upgrade("cp", number, 900));
        testTopicRecords.write(fleet.upgrade("cp", number, 901), testTopicRecords.seq());
        expect(AuditInvariant.ZOMBIE, "differs at decision 12 from what the journal decided");
    }

    @Test
    void findsADecisionWhoseRowsAreMissing() {
        long number = fleet.admit("cp");
        testTopicRecords.journal("attempt-renewed", "", fleet.upgrade("cp", number, 900));
        expect(AuditInvariant.ZOMBIE, "does not show the row that decision 12 wrote");
    }

    @Test
    void findsAnAcceptedInputWithoutARecord() {
        testTopicRecords.journal("inventory-changed", "", SmallFleetFixture.machine("w1", false));
        expect(AuditInvariant.ZOMBIE, "accepts a row of flotilla.inventory.berlin machine/fleet/w1 that no record has");
    }

    @Test
    void findsAReportAboutAnAttemptThatWasNotAdmitted() {
        fleet.writeStepReport("w1", 5, "starting");
        expect(AuditInvariant.ZOMBIE, "has a report about attempt 5, which no decision up to");
    }

    @Test
    void findsAStepWithoutAReport() {
        long number = fleet.admit("cp");
        testTopicRecords.decide(
                "attempt-step-reached",
                "guarding",
                fleet.attempt(
                        "cp",
                        number,
                        "\"type\":\"running\",\"step\":\"guarding\",\"deadline\":\"" + testTopicRecords.instant(60)
                                + "\"",
                        false));
        expect(AuditInvariant.ZOMBIE, "requires the report \"step-reached guarding\", which no worker has written");
    }

    @Test
    void findsAHeadRowAheadOfTheJournal() {
        testTopicRecords.write(
                SmallFleetFixture.row(
                        "head",
                        "fleet",
                        "{\"term\":1,\"seq\":99,\"decidedAt\":\"" + testTopicRecords.instant()
                                + "\",\"journalHash\":\"\",\"featureLevel\":1,\"clockInSync\":true,\"offsets\":{}}"),
                99L);
        expect(AuditInvariant.JOURNAL, "head/fleet is at decision 99, but the journal ends with 10");
    }

    @Test
    void findsAHeadRowWithAnotherHash() {
        testTopicRecords.write(
                SmallFleetFixture.row(
                        "head",
                        "fleet",
                        "{\"term\":1,\"seq\":10,\"decidedAt\":\"" + testTopicRecords.instant()
                                + "\",\"journalHash\":\"abc\",\"featureLevel\":1,\"clockInSync\":true,\"offsets\":{}}"),
                10L);
        expect(AuditInvariant.JOURNAL, "has another hash than the journal");
    }

    @Test
    void toleratesAnUnknownEvent() {
        testTopicRecords.decide("something-new", "");
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }
}
