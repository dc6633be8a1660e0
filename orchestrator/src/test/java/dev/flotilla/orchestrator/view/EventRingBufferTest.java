package dev.flotilla.orchestrator.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventRingBufferTest {
    private final EventRingBuffer ring = new EventRingBuffer(4);

    private void publish(long... seqs) {
        for (long seq : seqs) {
            ring.publish(seq, Instant.EPOCH, "nothing", "", "");
        }
    }

    @Test
    void keepsTheNewestAndTellsWhoeverWasOvertaken() {
        publish(10, 20, 30, 40, 50, 60);
        assertThat(ring.firstIndex()).isEqualTo(2);
        assertThat(ring.eventAt(1)).isNull();
        assertThat(ring.eventAt(2)).extracting(FleetEvent::seq).isEqualTo(30L);
        assertThat(ring.eventAt(5)).extracting(FleetEvent::seq).isEqualTo(60L);
    }

    @Test
    void findsThePlaceBehindANumberEvenOneThatWasNeverThere() {
        publish(10, 20, 30);
        assertThat(ring.indexAfter(0)).isZero();
        assertThat(ring.indexAfter(10)).isEqualTo(1);
        assertThat(ring.indexAfter(25)).isEqualTo(2);
        assertThat(ring.indexAfter(30)).isEqualTo(3);
        assertThat(ring.indexAfter(Long.MAX_VALUE)).isEqualTo(3);
        publish(40, 50, 60, 70);
        assertThat(ring.indexAfter(10)).isEqualTo(ring.firstIndex());
    }

    @Test
    void anEmptyRingBeginsWhereItEnds() {
        assertThat(ring.firstIndex()).isEqualTo(ring.nextIndex());
        assertThat(ring.indexAfter(5)).isZero();
    }
}
