package dev.flotilla.core.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Input;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteEarTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final Instant AT = Instant.EPOCH;

    private Duration silentAfter = Duration.ofSeconds(30);
    private final SiteEar ear = new SiteEar(List.of(EAST), Map.of(EAST, SiteHead.of(EAST)), site -> silentAfter, 0);

    @ParameterizedTest
    @ValueSource(ints = {15, 30, 3600})
    void aSiteIsSilentOnceItsHeartbeatIsOlderThanThePolicySays(int seconds) {
        silentAfter = Duration.ofSeconds(seconds);
        ear.heard(EAST, 1000, 1000);
        assertThat(ear.edges(1000 + seconds * 1000L, AT)).isEmpty();
        assertThat(ear.edges(1001 + seconds * 1000L, AT)).containsExactly(new Input.SiteSilent(EAST, AT));
        assertThat(ear.edges(1002 + seconds * 1000L, AT)).as("told once").isEmpty();
    }

    @Test
    void aBrokerWhoseClockIsAheadKeepsNoSilentSiteHeard() {
        ear.heard(EAST, 3_600_000, 1_000);
        assertThat(ear.edges(36_000, AT)).isEmpty();
        assertThat(ear.edges(36_001, AT)).containsExactly(new Input.SiteSilent(EAST, AT));
    }

    @Test
    void aHeartbeatThatIsTooOldItselfEndsNoSilence() {
        assertThat(ear.edges(40_000, AT)).hasSize(1);
        assertThat(ear.endsSilence(EAST, 5_000, 40_000)).isFalse();
        silentAfter = Duration.ofSeconds(60);
        assertThat(ear.endsSilence(EAST, 5_000, 40_000)).isTrue();
        assertThat(ear.endsSilence(EAST, 5_000, 40_000)).as("it has ended").isFalse();
    }

    @Test
    void aSiteThatNoHeadRowSpeaksOfIsSilentUntilItIsHeard() {
        ear.listen(WEST, null, 0);
        assertThat(ear.edges(0, AT)).containsExactly(new Input.SiteSilent(WEST, AT));
        assertThat(ear.edges(60_000, AT)).as("west was told").containsExactly(new Input.SiteSilent(EAST, AT));
        assertThat(ear.endsSilence(WEST, 60_000, 60_000)).isTrue();
        ear.heard(WEST, 60_000, 60_000);
        assertThat(ear.edges(90_000, AT)).isEmpty();
        assertThat(ear.edges(90_001, AT)).containsExactly(new Input.SiteSilent(WEST, AT));
    }

    @Test
    void aSiteWhoseTopicsAreAdoptedIsSilentUntilItIsHeard() {
        SiteHead adopted = SiteHead.of(WEST).withAdoption("order");
        ear.listen(WEST, adopted, 0);
        assertThat(ear.edges(0, AT)).containsExactly(new Input.SiteSilent(WEST, AT));
        ear.listen(EAST, adopted.withReadPosition(0, List.of(), List.of(), List.of(new TopicId(Table.STATUS, "id"))), 0);
        assertThat(ear.edges(0, AT)).as("one that was read since").isEmpty();
    }

    @Test
    void aSilenceThatAnEarlierLeaderHasToldIsNotToldAgain() {
        SiteHead silent = SiteHead.of(WEST).withSilentSince(AT);
        SiteEar next = new SiteEar(List.of(WEST), Map.of(WEST, silent), site -> silentAfter, 0);
        assertThat(next.edges(60_000, AT)).isEmpty();
        assertThat(next.endsSilence(WEST, 60_000, 60_000)).isTrue();
    }

    @Test
    void aHeartbeatThatIsJustNotTooOldEndsASilence() {
        assertThat(ear.edges(40_000, AT)).hasSize(1);
        assertThat(ear.endsSilence(EAST, 9_999, 40_000)).isFalse();
        assertThat(ear.endsSilence(EAST, 10_000, 40_000)).isTrue();
    }

    @Test
    void anOlderHeartbeatThatComesLaterTakesNothingBack() {
        ear.heard(EAST, 20_000, 20_000);
        ear.heard(EAST, 10_000, 20_000);
        assertThat(ear.edges(50_000, AT)).isEmpty();
    }
}
