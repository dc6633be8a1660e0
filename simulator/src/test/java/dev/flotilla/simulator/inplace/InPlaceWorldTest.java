package dev.flotilla.simulator.inplace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.DecisionEvent;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Campaigns that drive Cluster API, in many seeded worlds. */
class InPlaceWorldTest {
    private static final int SEEDS = Integer.getInteger("flotilla.seeds", 150);
    private static final int SEEDS_FOR_BROKEN = 150;

    @Test
    void everyInvariantHoldsInEveryWorld() {
        Set<DecisionEvent> events = EnumSet.noneOf(DecisionEvent.class);
        for (long seed = 1; seed <= SEEDS; seed++) {
            InPlaceWorld.InPlaceResult result = InPlaceWorld.run(seed, FleetDecider.standard());
            assertThat(result.violations()).as("violations of seed " + seed).isEmpty();
            assertThat(result.stuck()).as("stuck in seed " + seed).isEmpty();
            events.addAll(result.events());
        }
        assertThat(events)
                .contains(
                        DecisionEvent.CLUSTER_UPGRADE_OPENED,
                        DecisionEvent.CLUSTER_UPGRADE_CHANGED,
                        DecisionEvent.CLUSTER_UPGRADE_CLOSED,
                        DecisionEvent.CAMPAIGN_PAUSED,
                        DecisionEvent.CAMPAIGN_COMPLETED,
                        DecisionEvent.MACHINE_QUARANTINED);
    }

    /** Worlds that have shown a bug once. */
    @ParameterizedTest
    @ValueSource(longs = {436, 875, 949, 4189, 6359})
    void whatWasFoundOnceDoesNotComeBack(long seed) {
        InPlaceWorld.InPlaceResult result = InPlaceWorld.run(seed, FleetDecider.standard());
        assertThat(result.violations()).isEmpty();
        assertThat(result.stuck()).isEmpty();
    }

    static Stream<Map.Entry<String, Decider>> brokenCores() {
        return BrokenInPlaceCores.all().entrySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenCores")
    void aBrokenCoreIsFound(Map.Entry<String, Decider> broken) {
        for (long seed = 1; seed <= SEEDS_FOR_BROKEN; seed++) {
            if (!InPlaceWorld.run(seed, broken.getValue()).violations().isEmpty()) {
                return;
            }
        }
        throw new AssertionError("no world shows that " + broken.getKey());
    }
}
