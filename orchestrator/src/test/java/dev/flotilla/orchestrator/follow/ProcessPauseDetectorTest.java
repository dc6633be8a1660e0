package dev.flotilla.orchestrator.follow;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.kafka.KafkaFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a process that did not read for half of the tombstone retention reads the tables again. */
class ProcessPauseDetectorTest {
    private final ManualLoopClock time = new ManualLoopClock();
    private final ProcessPauseDetector processPauseDetector = new ProcessPauseDetector(time);

    @Test
    void dropsTheStateAfterAHostSuspensionOfDays() {
        time.advanceWallClock(Duration.ofHours(85));
        assertThatThrownBy(processPauseDetector::checkForPause)
                .isInstanceOf(KafkaFailure.class)
                .hasMessage("did not read the tables for 85 hours: tombstones may have been missed");
        assertThatCode(processPauseDetector::checkForPause)
                .as("what it reads then")
                .doesNotThrowAnyException();
    }

    @Test
    void dropsTheStateAfterAProcessStopOfDays() {
        time.advance(Duration.ofDays(4));
        assertThatThrownBy(processPauseDetector::checkForPause).isInstanceOf(KafkaFailure.class);
    }

    @Test
    void catchesUpAfterAShortPause() {
        time.advance(Duration.ofHours(83));
        assertThatCode(processPauseDetector::checkForPause).doesNotThrowAnyException();
        time.advance(Duration.ofHours(83));
        assertThatCode(processPauseDetector::checkForPause).doesNotThrowAnyException();
    }
}
