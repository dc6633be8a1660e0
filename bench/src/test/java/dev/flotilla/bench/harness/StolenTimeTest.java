package dev.flotilla.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class StolenTimeTest {
    @Test
    void isTheShareOfAllProcessorsWithoutTheTimeOfGuestsCountedTwice() {
        long[] before =
                StolenTime.parse(List.of("cpu  100 0 50 800 10 0 10 30 100 0", "cpu0 50 0 25 400 5 0 5 15 50 0"));
        long[] after =
                StolenTime.parse(List.of("cpu  160 0 60 820 10 0 10 40 160 0", "cpu0 80 0 30 410 5 0 5 20 80 0"));
        assertThat(StolenTime.shareBetween(before, after)).isEqualTo(0.1, Assertions.within(1e-9));
    }

    @Test
    void isZeroWhereTheSystemDoesNotCountIt() {
        assertThat(StolenTime.shareBetween(StolenTime.parse(List.of()), StolenTime.parse(List.of())))
                .isZero();
        assertThat(StolenTime.parse(List.of("cpu 1 2 3 4"))).containsExactly(1, 2, 3, 4, 0, 0, 0, 0);
    }
}
