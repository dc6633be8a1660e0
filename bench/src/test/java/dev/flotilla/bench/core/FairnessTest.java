package dev.flotilla.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.bench.Figure;
import org.junit.jupiter.api.Test;

/** In virtual time, so that it says the same on every machine. */
class FairnessTest {
    @Test
    void equalTenantsHaveEqualSlotsBesideALargeOneAndBesideOneThatFails() {
        Figure figure = Fairness.measured();
        assertThat(figure.value()).as(figure.toString()).isGreaterThan(0.99);
    }
}
