package dev.flotilla.orchestrator.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventRingBufferTest {
    private final EventRingBuffer eventBuffer = new EventRingBuffer(4);

    private void publish(long... seqs) {
        for (long seq : seqs) {
            eventBuffer.publish(seq, Instant.EPOCH, "nothing", "", "");
        }
    }

    @Test
    void keepsTheNewestEventsAndReportsOvertakenReaders() {
        publish(10, 20, 30, 40, 50, 60);
        assertThat(eventBuffer.firstIndex()).isEqualTo(2);
        assertThat(eventBuffer.eventAt(1)).isNull();
        assertThat(eventBuffer.eventAt(2)).extracting(FleetEvent::seq).isEqualTo(30L);
        assertThat(eventBuffer.eventAt(5)).extracting(FleetEvent::seq).isEqualTo(60L);
    }

    @Test
    void findsThePositionAfterAnyNumber() {
        publish(10, 20, 30);
        assertThat(eventBuffer.indexAfter(0)).isZero();
        assertThat(eventBuffer.indexAfter(10)).isEqualTo(1);
        assertThat(eventBuffer.indexAfter(25)).isEqualTo(2);
        assertThat(eventBuffer.indexAfter(30)).isEqualTo(3);
        assertThat(eventBuffer.indexAfter(Long.MAX_VALUE)).isEqualTo(3);
        publish(40, 50, 60, 70);
        assertThat(eventBuffer.indexAfter(10)).isEqualTo(eventBuffer.firstIndex());
    }

    @Test
    void anEmptyBufferStartsWhereItEnds() {
        assertThat(eventBuffer.firstIndex()).isEqualTo(eventBuffer.nextIndex());
        assertThat(eventBuffer.indexAfter(5)).isZero();
    }
}
