package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.kafka.KafkaFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who was away for half of the time that tombstones stay reads the tables anew. */
class ProcessPauseDetectorTest {
    private final ManualLoopClock time = new ManualLoopClock();
    private final ProcessPauseDetector processPauseDetector = new ProcessPauseDetector(time);

    @Test
    void aMachineThatWasSuspendedForDaysDropsWhatItKnew() {
        time.set(Duration.ofHours(85));
        assertThatThrownBy(processPauseDetector::checkForPause)
                .isInstanceOf(KafkaFailure.class)
                .hasMessage("did not read the tables for 85 hours: tombstones may have been missed");
        assertThatCode(processPauseDetector::checkForPause)
                .as("what it reads then")
                .doesNotThrowAnyException();
    }

    @Test
    void aProcessThatWasStoppedForDaysDoesToo() {
        time.pass(Duration.ofDays(4));
        assertThatThrownBy(processPauseDetector::checkForPause).isInstanceOf(KafkaFailure.class);
    }

    @Test
    void aShorterAbsenceIsCaughtUpWith() {
        time.pass(Duration.ofHours(83));
        assertThatCode(processPauseDetector::checkForPause).doesNotThrowAnyException();
        time.pass(Duration.ofHours(83));
        assertThatCode(processPauseDetector::checkForPause).doesNotThrowAnyException();
    }
}
