package dev.flotilla.simulator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.rollout.Ideal.ClusterWork;
import dev.flotilla.simulator.rollout.Ideal.WaveWork;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdealTest {

    @Test
    void theWorkIsSharedOutOverTheCap() {
        assertThat(Ideal.millis(List.of(new WaveWork(singles(8), 100)), 4)).isEqualTo(20);
    }

    @Test
    void aClusterGoesThroughItsControlPlaneOneByOne() {
        ClusterWork cluster = new ClusterWork(List.of(10L, 10L, 10L), List.of(10L, 10L, 10L, 10L), 2, List.of());

        assertThat(Ideal.millis(List.of(new WaveWork(List.of(cluster), 100)), 50))
                .isEqualTo(50);
    }

    @Test
    void aWaveWaitsForTheOneBefore() {
        WaveWork canary = new WaveWork(singles(1), 100);

        assertThat(Ideal.millis(List.of(canary, new WaveWork(singles(4), 100)), 4))
                .isEqualTo(20);
    }

    @Test
    void whatACanaryLeavesUnusedIsLost() {
        ClusterWork canary = new ClusterWork(List.of(10L, 10L), List.of(10L, 10L), 2, List.of());

        // Its first success takes 10, and one slot of four; 30 of its own and 80 of the others are left for all four.
        assertThat(Ideal.millis(List.of(new WaveWork(List.of(canary), 25), new WaveWork(singles(8), 100)), 4))
                .isEqualTo(10 + (30 + 80 + 3) / 4);
    }

    @Test
    void aWaveWaitsForNoMoreSuccessesThanItNeeds() {
        ClusterWork slow = new ClusterWork(List.of(100L), List.of(), 1, List.of());
        WaveWork half = new WaveWork(List.of(singles(1).get(0), slow), 50);

        assertThat(Ideal.millis(List.of(half, new WaveWork(singles(1), 100)), 4))
                .isEqualTo(100);
    }

    private static List<ClusterWork> singles(int count) {
        return Stream.generate(() -> new ClusterWork(List.of(10L), List.of(), 1, List.of()))
                .limit(count)
                .toList();
    }
}
