package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.auditor.check.TestTopicRecords.TopicRow;
import org.junit.jupiter.api.Test;

/** Tests that a machine about which a bug prevents decisions may stay as it is, and that this counts as unverified. */
class ParkedMachineTest {
    private static final String OVERDUE = "overdue attempts of machines that a bug keeps from being decided";
    private static final String STOPPED = "command leases of machines that a bug keeps from being decided";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();
    private final SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords, "9", 5);

    private void park(String name) {
        String key = "machine/fleet/" + name;
        testTopicRecords.decide(
                "rejected",
                "a decision about it failed twice because of a bug",
                new TopicRow(
                        "flotilla.rejected",
                        "flotilla.status.berlin/0/" + key,
                        "{\"topic\":\"flotilla.status.berlin\",\"partition\":0,\"key\":\"" + key
                                + "\",\"offset\":0,\"reason\":\"cannot-be-decided\",\"readable\":false}"));
    }

    @Test
    void itsAttemptMayStayOpenPastItsDeadline() {
        fleet.upgrade("cp");
        fleet.admit("w1");
        park("w1");
        testTopicRecords.seconds(3 * 3600);
        fleet.admit("w2");
        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.findings().unverified()).containsKey(OVERDUE);
    }

    @Test
    void itsLeaseNeedNotBeRevoked() {
        fleet.admit("cp");
        park("cp");
        fleet.policy("9", true);
        testTopicRecords.decide("wave-size-fixed", "");
        assertThat(testTopicRecords.found).isEmpty();
        assertThat(testTopicRecords.audit.findings().unverified()).containsKey(STOPPED);
    }

    @Test
    void otherMachinesAreChecked() {
        fleet.upgrade("cp");
        fleet.admit("w1");
        park("w2");
        testTopicRecords.seconds(3 * 3600);
        fleet.admit("w3");
        assertThat(testTopicRecords.found)
                .first()
                .extracting(InvariantViolation::detail)
                .asString()
                .startsWith("berlin/fleet/w1 attempt");
    }
}
