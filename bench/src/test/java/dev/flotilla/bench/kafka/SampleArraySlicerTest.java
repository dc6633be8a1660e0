package dev.flotilla.bench.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SampleArraySlicerTest {
    @Test
    void cutsSamplesIntoEqualParts() {
        double[] all = {0, 1, 2, 3, 4, 5, 6};
        assertThat(SampleArraySlicer.partOf(all, 0, 3)).containsExactly(0, 1);
        assertThat(SampleArraySlicer.partOf(all, 1, 3)).containsExactly(2, 3);
        assertThat(SampleArraySlicer.partOf(all, 2, 3)).containsExactly(4, 5, 6);
    }
}
