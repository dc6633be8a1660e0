package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests how a site's head row changes the checks of other rows. */
class SiteHeadRowTest {
    private static final String AWAY = "\"unreachableSince\":\"2026-03-01T00:00:00Z\",";
    private static final String WRITTEN_OFF =
            "\"writeOff\":{\"beforeAttempt\":900,\"orderId\":\"o\",\"since\":\"2026-03-01T00:00:00Z\"},";

    private final TestTopicRecords testTopicRecords = TestTopicRecords.watched();

    @Test
    void aWaveDoesNotCloseWithoutASuspendedSite() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        head(AWAY, 3);
        testTopicRecords.decide("wave-closed", "", fleet.wave(true));
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).detail()).contains("closes after 1 of 4 machines");
    }

    @Test
    void aWaveClosesWithoutASiteThatWasWrittenOff() {
        SmallFleetFixture fleet = SmallFleetFixture.in(testTopicRecords);
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(testTopicRecords.audit.inFlight()).isEqualTo(1);
        head(AWAY + WRITTEN_OFF, 3);
        assertThat(testTopicRecords.audit.inFlight()).isZero();
        testTopicRecords.decide("wave-closed", "", fleet.wave(true));
        assertThat(testTopicRecords.found).isEmpty();
        head("", 3);
        assertThat(testTopicRecords.audit.inFlight()).isEqualTo(1);
    }

    @Test
    void offsetsMayGoBackOnlyAfterAnAdoption() {
        SmallFleetFixture.in(testTopicRecords);
        head("\"topicIds\":{\"progress\":\"one\"},", 40);
        head("\"adoptOrderId\":\"o\",\"topicIds\":{\"progress\":\"two\"},", 3);
        assertThat(testTopicRecords.found).isEmpty();
        head("\"adoptOrderId\":\"o\",\"topicIds\":{\"progress\":\"two\"},", 2);
        assertThat(testTopicRecords.found).hasSize(1);
        assertThat(testTopicRecords.found.get(0).detail()).contains("in the head row decreases from 3 to 2");
    }

    private void head(String more, int read) {
        testTopicRecords.decide(
                "site-changed",
                "",
                SmallFleetFixture.row(
                        "head",
                        "berlin",
                        "{\"site\":\"berlin\"," + more + "\"inFlight\":0,\"offsets\":{\"progress\":{\"0\":" + read
                                + "}}}"));
    }
}
