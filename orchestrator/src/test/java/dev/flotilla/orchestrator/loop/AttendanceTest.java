package dev.flotilla.orchestrator.loop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.runtime.kafka.KafkaFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who was away for half of the time that tombstones stay reads the tables anew. */
class AttendanceTest {
    private final SetTime time = new SetTime();
    private final Attendance attendance = new Attendance(time);

    @Test
    void aMachineThatWasSuspendedForDaysDropsWhatItKnew() {
        time.set(Duration.ofHours(85));
        assertThatThrownBy(attendance::present)
                .isInstanceOf(KafkaFailure.class)
                .hasMessage("did not read the tables for 85 hours: tombstones may have been missed");
        assertThatCode(attendance::present).as("what it reads then").doesNotThrowAnyException();
    }

    @Test
    void aProcessThatWasStoppedForDaysDoesToo() {
        time.pass(Duration.ofDays(4));
        assertThatThrownBy(attendance::present).isInstanceOf(KafkaFailure.class);
    }

    @Test
    void aShorterAbsenceIsCaughtUpWith() {
        time.pass(Duration.ofHours(83));
        assertThatCode(attendance::present).doesNotThrowAnyException();
        time.pass(Duration.ofHours(83));
        assertThatCode(attendance::present).doesNotThrowAnyException();
    }
}
