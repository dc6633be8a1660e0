package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** Tests that decisions are checked on the rows that their leader found after rows were lost. */
class LostSiteRowsTest {
    private static final String SUSPENDED = ",\"unreachableSince\":\"2026-01-05T00:00:00Z\"";
    private static final String ADOPTED = ",\"adoptOrderId\":\"order-2\"";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "\"50%\"", 5);

    private static TopicRow head(String more) {
        return new TopicRow(
                "flotilla.head", "berlin", "{\"site\":\"berlin\",\"inFlight\":0,\"offsets\":{}" + more + "}");
    }

    private static String lost(String table) {
        return ",\"lostTables\":[\"" + table + "\"]";
    }

    private static String writtenOff(long before, boolean still) {
        return ",\"writeOff\":{\"beforeAttempt\":" + before + ",\"orderId\":\"order-1\""
                + (still ? ",\"since\":\"2026-01-05T00:00:00Z\"" : "") + "}";
    }

    private void decideHead(String more) {
        testTopicRecords.decide("site-changed", "", head(more));
    }

    private TopicRow unknown(long attempt) {
        String since = testTopicRecords.instant();
        return fleet.attempt("w1", attempt, "\"type\":\"unknown\",\"since\":\"" + since + "\"", false);
    }

    /** A suspended site's attempt becomes unknown and then lost, and no row of it is written. */
    private TopicRow withholdTheEndOf(long attempt) {
        decideHead(SUSPENDED);
        testTopicRecords.journal("attempt-unknown", "", unknown(attempt));
        TopicRow ended = fleet.failed("w1", attempt, "no-report");
        testTopicRecords.seconds(7200);
        testTopicRecords.journal("attempt-failed", "no-report", ended, fleet.noCommand("w1"));
        return ended;
    }

    @Test
    void theNextLeaderDecidesAgainOnTheRowsThatTheTablesShow() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        withholdTheEndOf(attempt);
        assertThat(testTopicRecords.audit.inFlight()).isZero();
        testTopicRecords.decide("leader-elected", "");
        assertThat(testTopicRecords.audit.inFlight())
                .as("its end was not written")
                .isEqualTo(1);
        decideHead("");
        testTopicRecords.decide("attempt-unknown", "", unknown(attempt));
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void aCallAfterARevocationThatWasLostIsNoViolation() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        withholdTheEndOf(attempt);
        testTopicRecords.decide("leader-elected", "");
        decideHead("");
        testTopicRecords.decide(
                "attempt-renewed",
                "",
                fleet.attempt(
                        "w1",
                        attempt,
                        "\"type\":\"admitted\",\"leaseExpiresAt\":\"" + testTopicRecords.instant(900) + "\"",
                        false),
                fleet.upgrade("w1", attempt, 900));
        fleet.reportSteps("w1", attempt, "preflight", "guarding", "starting", "refreshing", "verifying");
        fleet.succeed("w1", attempt);
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void aRowThatItsTableShowsIsNotLost() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        TopicRow ended = withholdTheEndOf(attempt);
        testTopicRecords.write(ended, testTopicRecords.seq());
        testTopicRecords.write(fleet.noCommand("w1"), testTopicRecords.seq());
        testTopicRecords.decide("leader-elected", "");
        assertThat(testTopicRecords.audit.inFlight()).isZero();
    }

    @Test
    void aRowThatItsTableShowsOnlyLaterIsNotLostEither() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        TopicRow ended = withholdTheEndOf(attempt);
        long seq = testTopicRecords.seq();
        testTopicRecords.decide("leader-elected", "");
        testTopicRecords.write(ended, seq);
        assertThat(testTopicRecords.audit.inFlight()).isZero();
    }

    @Test
    void aLeaderWritesWhatItWithheld() {
        fleet.upgrade("cp");
        long attempt = fleet.admit("w1");
        TopicRow ended = withholdTheEndOf(attempt);
        long seq = testTopicRecords.seq();
        decideHead("");
        testTopicRecords.decide("leader-elected", "");
        assertThat(testTopicRecords.audit.inFlight()).isZero();
        testTopicRecords.write(ended, seq);
        testTopicRecords.write(fleet.noCommand("w1"), seq);
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void forgetsTheStatusesOfAnAdoptedTopic() {
        fleet.upgrade("cp");
        fleet.admit("w1");
        decideHead(SUSPENDED + lost("status"));
        long before = testTopicRecords.next();
        decideHead(SUSPENDED + lost("status") + writtenOff(before, true));
        decideHead(SUSPENDED + writtenOff(before, true) + ADOPTED);
        testTopicRecords.decide("leader-elected", "");
        decideHead(writtenOff(before, false) + ADOPTED);
        inventory("cp", "w1", "w2", "w3");
        fleet.upgrade("cp");
        fleet.upgrade("w1");
        testTopicRecords.over();
        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.findings().unverified())
                .containsEntry("statuses of machines that were lost with their topic", 2L);
    }

    @Test
    void findsAnAdoptionThatForgetsAnAttempt() {
        fleet.upgrade("cp");
        fleet.admit("w1");
        decideHead(SUSPENDED + lost("status"));
        decideHead(SUSPENDED + ADOPTED);
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).invariant()).isEqualTo(AuditInvariant.NOTHING_LOST);
        assertThat(testTopicRecords.found.get(0).detail()).startsWith("berlin/fleet/w1 has an attempt in flight that");
    }

    @Test
    void keepsTheStatusesOfASiteThatLostItsInputs() {
        fleet.upgrade("cp");
        fleet.admit("w1");
        decideHead(SUSPENDED + lost("intents"));
        decideHead(SUSPENDED + ADOPTED);
        testTopicRecords.decide("leader-elected", "");
        decideHead(ADOPTED);
        assertThat(testTopicRecords.audit.inFlight()).isEqualTo(1);
        assertThat(testTopicRecords.found).isEmpty();
    }

    @Test
    void countsOnlyMachinesThatAnAdoptedInventoryHas() {
        fleet.upgrade("cp");
        decideHead(SUSPENDED + lost("inventory"));
        decideHead(SUSPENDED + ADOPTED);
        testTopicRecords.decide("leader-elected", "");
        decideHead(ADOPTED);
        inventory("w1", "w2");
        fleet.admit("w1");
        assertThat(testTopicRecords.found).isEmpty();
        fleet.admit("w2");
        assertThat(testTopicRecords.found)
                .first()
                .extracting(InvariantViolation::detail)
                .isEqualTo("berlin/fleet/w2 started as number 2 in flight of the fleet, but the cap is 1 (50% of 2)");
    }

    private void inventory(String... names) {
        String heartbeat = "{\"site\":\"berlin\",\"managementUid\":\"m\",\"watcher\":\"w\",\"sentAt\":\""
                + testTopicRecords.instant() + "\",\"withheldRemovals\":0}";
        testTopicRecords.decide("site-changed", "", SmallFleetFixture.row("inventory.berlin", "site", heartbeat));
        testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.cluster(1));
        for (String name : names) {
            testTopicRecords.decide("inventory-changed", "", SmallFleetFixture.machine(name, true));
        }
    }
}
