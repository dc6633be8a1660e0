package dev.flotilla.bench.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.bench.worker.EventLoopLatencyProbe.TimerDelay;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventLoopLatencyProbeTest {
    private static final long MILLI = 1_000_000;

    private static TimerDelay late(long due, long by, long waited) {
        return new TimerDelay(due * MILLI, (due + by) * MILLI, waited * MILLI);
    }

    @Test
    void countsALoopThatIsLateAlone() {
        assertThat(EventLoopLatencyProbe.blocked(
                        List.of(late(0, 150, 0), late(200, 90, 0)), List.of(late(40, 1, 0)), 100))
                .isEqualTo(1);
    }

    @Test
    void doesNotCountADelayThatTheIdleLoopShares() {
        assertThat(EventLoopLatencyProbe.blocked(List.of(late(0, 150, 0)), List.of(late(40, 80, 0)), 100))
                .isZero();
        assertThat(EventLoopLatencyProbe.blocked(List.of(late(0, 150, 0)), List.of(late(200, 80, 0)), 100))
                .as("at another time")
                .isEqualTo(1);
    }

    @Test
    void doesNotCountTimeWithoutAProcessor() {
        assertThat(EventLoopLatencyProbe.blocked(List.of(late(0, 150, 60)), List.of(), 100))
                .isZero();
        assertThat(late(0, 150, 60).ownMillis()).isEqualTo(90);
        assertThat(late(0, 5, 60).ownMillis()).isZero();
    }
}
