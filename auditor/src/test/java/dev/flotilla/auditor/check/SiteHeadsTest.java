package dev.flotilla.auditor.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the head row of a site changes about how others' rows are judged. */
class SiteHeadsTest {
    private static final String AWAY = "\"unreachableSince\":\"2026-03-01T00:00:00Z\",";
    private static final String WRITTEN_OFF =
            "\"writeOff\":{\"below\":900,\"order\":\"o\",\"since\":\"2026-03-01T00:00:00Z\"},";

    private final Story story = Story.watched();

    @Test
    void noWaveClosesWithoutASiteThatIsAway() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        head(AWAY, 3);
        story.decide("wave-closed", "", fleet.wave(true));
        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).detail()).contains("is done with after 1 of 4 machines");
    }

    @Test
    void aWaveClosesWithoutASiteThatWasWrittenOff() {
        SmallFleet fleet = SmallFleet.in(story);
        fleet.upgrade("cp");
        fleet.admit("w1");
        assertThat(story.audit.inFlight()).isEqualTo(1);
        head(AWAY + WRITTEN_OFF, 3);
        assertThat(story.audit.inFlight()).isZero();
        story.decide("wave-closed", "", fleet.wave(true));
        assertThat(story.found).isEmpty();
        head("", 3);
        assertThat(story.audit.inFlight()).isEqualTo(1);
    }

    @Test
    void offsetsGoBackOnlyWhereAnOperatorAdoptedTheTopics() {
        SmallFleet.in(story);
        head("\"topics\":{\"progress\":\"one\"},", 40);
        head("\"adoptOrder\":\"o\",\"topics\":{\"progress\":\"two\"},", 3);
        assertThat(story.found).isEmpty();
        head("\"adoptOrder\":\"o\",\"topics\":{\"progress\":\"two\"},", 2);
        assertThat(story.found).hasSize(1);
        assertThat(story.found.get(0).detail()).contains("in head goes back from 3 to 2");
    }

    private void head(String more, int read) {
        story.decide(
                "site-changed",
                "",
                SmallFleet.row(
                        "head",
                        "berlin",
                        "{\"site\":\"berlin\"," + more + "\"inFlight\":0,\"offsets\":{\"progress\":{\"0\":" + read
                                + "}}}"));
    }
}
