package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The leader reads on, and all the same a site that was set aside may have lost tombstones meanwhile. */
class SiteReadGapTimerTest {
    private static final SiteId EAST = new SiteId("east");
    private static final SiteId WEST = new SiteId("west");

    private final ManualLoopClock time = new ManualLoopClock();
    private final SiteReadGapTimer siteReadGapTimer = new SiteReadGapTimer(time);

    @Test
    void aSiteThatWasAsideForDaysIsReadAnew() {
        siteReadGapTimer.startGap(EAST);
        time.pass(Duration.ofHours(50));
        siteReadGapTimer.startGap(EAST);
        time.pass(Duration.ofHours(50));
        siteReadGapTimer.startGap(WEST);
        assertThatCode(() -> siteReadGapTimer.endGap(WEST)).doesNotThrowAnyException();
        assertThatThrownBy(() -> siteReadGapTimer.endGap(EAST))
                .isInstanceOf(KafkaFailure.class)
                .hasMessageContaining("tombstones may have been missed");
    }

    @Test
    void aSiteThatWasAsideForADayIsReadOn() {
        siteReadGapTimer.startGap(EAST);
        time.pass(Duration.ofHours(24));
        assertThatCode(() -> siteReadGapTimer.endGap(EAST)).doesNotThrowAnyException();
        time.pass(Duration.ofHours(100));
        siteReadGapTimer.startGap(EAST);
        assertThatCode(() -> siteReadGapTimer.endGap(EAST)).doesNotThrowAnyException();
    }
}
