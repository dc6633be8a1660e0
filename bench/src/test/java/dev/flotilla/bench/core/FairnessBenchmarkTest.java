package dev.flotilla.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.bench.harness.Measurement;
import org.junit.jupiter.api.Test;

/** Runs in virtual time, so that the result is equal on every machine. */
class FairnessBenchmarkTest {
    @Test
    void equalTenantsGetEqualSlotsBesideALargeOrFailingOne() {
        Measurement measurement = FairnessBenchmark.measure();
        assertThat(measurement.value()).as(measurement.toString()).isGreaterThan(0.99);
    }
}
