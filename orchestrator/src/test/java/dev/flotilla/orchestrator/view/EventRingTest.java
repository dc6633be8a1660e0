package dev.flotilla.orchestrator.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EventRingTest {
    private final EventRing ring = new EventRing(4);

    private void publish(long... seqs) {
        for (long seq : seqs) {
            ring.publish(seq, Instant.EPOCH, "nothing", "", "");
        }
    }

    @Test
    void keepsTheNewestAndTellsWhoeverWasOvertaken() {
        publish(10, 20, 30, 40, 50, 60);
        assertThat(ring.begin()).isEqualTo(2);
        assertThat(ring.at(1)).isNull();
        assertThat(ring.at(2)).extracting(FleetEvent::seq).isEqualTo(30L);
        assertThat(ring.at(5)).extracting(FleetEvent::seq).isEqualTo(60L);
    }

    @Test
    void findsThePlaceBehindANumberEvenOneThatWasNeverThere() {
        publish(10, 20, 30);
        assertThat(ring.placeAfter(0)).isZero();
        assertThat(ring.placeAfter(10)).isEqualTo(1);
        assertThat(ring.placeAfter(25)).isEqualTo(2);
        assertThat(ring.placeAfter(30)).isEqualTo(3);
        assertThat(ring.placeAfter(Long.MAX_VALUE)).isEqualTo(3);
        publish(40, 50, 60, 70);
        assertThat(ring.placeAfter(10)).isEqualTo(ring.begin());
    }

    @Test
    void anEmptyRingBeginsWhereItEnds() {
        assertThat(ring.begin()).isEqualTo(ring.end());
        assertThat(ring.placeAfter(5)).isZero();
    }
}
