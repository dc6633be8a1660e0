package dev.flotilla.core.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatMonitorTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");
    private static final Instant AT = Instant.EPOCH;

    private Duration silentAfter = Duration.ofSeconds(30);
    private final HeartbeatMonitor ear =
            new HeartbeatMonitor(List.of(EAST), Map.of(EAST, SiteHead.of(EAST)), site -> silentAfter, 0);

    @ParameterizedTest
    @ValueSource(ints = {15, 30, 3600})
    void aSiteIsSilentAfterItsHeartbeatTimeout(int seconds) {
        silentAfter = Duration.ofSeconds(seconds);
        ear.recordHeartbeat(EAST, 1000, 1000);
        assertThat(ear.pollTransitions(1000 + seconds * 1000L, AT)).isEmpty();
        assertThat(ear.pollTransitions(1001 + seconds * 1000L, AT))
                .containsExactly(new DecisionInput.HeartbeatLost(EAST, AT));
        assertThat(ear.pollTransitions(1002 + seconds * 1000L, AT))
                .as("reported once")
                .isEmpty();
    }

    @Test
    void aBrokerClockAheadDoesNotHideASilentSite() {
        ear.recordHeartbeat(EAST, 3_600_000, 1_000);
        assertThat(ear.pollTransitions(36_000, AT)).isEmpty();
        assertThat(ear.pollTransitions(36_001, AT)).containsExactly(new DecisionInput.HeartbeatLost(EAST, AT));
    }

    @Test
    void anOldHeartbeatDoesNotEndASilence() {
        assertThat(ear.pollTransitions(40_000, AT)).hasSize(1);
        assertThat(ear.endsSilence(EAST, 5_000, 40_000)).isFalse();
        silentAfter = Duration.ofSeconds(60);
        assertThat(ear.endsSilence(EAST, 5_000, 40_000)).isTrue();
        assertThat(ear.endsSilence(EAST, 5_000, 40_000))
                .as("the silence has ended")
                .isFalse();
    }

    @Test
    void aSiteWithoutAHeadRowIsSilentUntilItsFirstHeartbeat() {
        ear.monitorSite(WEST, null, 0);
        assertThat(ear.pollTransitions(0, AT)).containsExactly(new DecisionInput.HeartbeatLost(WEST, AT));
        assertThat(ear.pollTransitions(60_000, AT))
                .as("west was reported")
                .containsExactly(new DecisionInput.HeartbeatLost(EAST, AT));
        assertThat(ear.endsSilence(WEST, 60_000, 60_000)).isTrue();
        ear.recordHeartbeat(WEST, 60_000, 60_000);
        assertThat(ear.pollTransitions(90_000, AT)).isEmpty();
        assertThat(ear.pollTransitions(90_001, AT)).containsExactly(new DecisionInput.HeartbeatLost(WEST, AT));
    }

    @Test
    void aSiteWithAdoptedTopicsIsSilentUntilItsFirstHeartbeat() {
        SiteHead adopted = SiteHead.of(WEST).withAdoption("order");
        ear.monitorSite(WEST, adopted, 0);
        assertThat(ear.pollTransitions(0, AT)).containsExactly(new DecisionInput.HeartbeatLost(WEST, AT));
        ear.monitorSite(
                EAST, adopted.withReadPosition(0, List.of(), List.of(), List.of(new TopicId(Table.STATUS, "id"))), 0);
        assertThat(ear.pollTransitions(0, AT)).as("a site that was read since").isEmpty();
    }

    @Test
    void aSilenceIsNotReportedAgainByTheNextLeader() {
        SiteHead silent = SiteHead.of(WEST).withSilentSince(AT);
        HeartbeatMonitor next = new HeartbeatMonitor(List.of(WEST), Map.of(WEST, silent), site -> silentAfter, 0);
        assertThat(next.pollTransitions(60_000, AT)).isEmpty();
        assertThat(next.endsSilence(WEST, 60_000, 60_000)).isTrue();
    }

    @Test
    void aHeartbeatWithinTheTimeoutEndsASilence() {
        assertThat(ear.pollTransitions(40_000, AT)).hasSize(1);
        assertThat(ear.endsSilence(EAST, 9_999, 40_000)).isFalse();
        assertThat(ear.endsSilence(EAST, 10_000, 40_000)).isTrue();
    }

    @Test
    void anOlderHeartbeatDoesNotShortenTheTimeout() {
        ear.recordHeartbeat(EAST, 20_000, 20_000);
        ear.recordHeartbeat(EAST, 10_000, 20_000);
        assertThat(ear.pollTransitions(50_000, AT)).isEmpty();
    }
}
