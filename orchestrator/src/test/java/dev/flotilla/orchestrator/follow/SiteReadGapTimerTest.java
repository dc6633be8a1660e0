package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a suspended site may have lost tombstones although the leader itself kept reading. */
class SiteReadGapTimerTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final ManualLoopClock time = new ManualLoopClock();
    private final SiteReadGapTimer siteReadGapTimer = new SiteReadGapTimer(time);

    @Test
    void readsASiteAgainAfterDaysOfSuspension() {
        siteReadGapTimer.startGap(EAST);
        time.advance(Duration.ofHours(50));
        siteReadGapTimer.startGap(EAST);
        time.advance(Duration.ofHours(50));
        siteReadGapTimer.startGap(WEST);
        assertThatCode(() -> siteReadGapTimer.endGap(WEST)).doesNotThrowAnyException();
        assertThatThrownBy(() -> siteReadGapTimer.endGap(EAST))
                .isInstanceOf(KafkaFailure.class)
                .hasMessageContaining("tombstones may have been missed");
    }

    @Test
    void continuesASiteAfterADayOfSuspension() {
        siteReadGapTimer.startGap(EAST);
        time.advance(Duration.ofHours(24));
        assertThatCode(() -> siteReadGapTimer.endGap(EAST)).doesNotThrowAnyException();
        time.advance(Duration.ofHours(100));
        siteReadGapTimer.startGap(EAST);
        assertThatCode(() -> siteReadGapTimer.endGap(EAST)).doesNotThrowAnyException();
    }
}
