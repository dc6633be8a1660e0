package dev.flotilla.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.simulator.inplace.AuditedInPlaceRun;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Audits worlds of clusters that Cluster API updates in place: auditor and simulator, which share no code, must agree. */
class AuditedInPlaceWorldsTest {
    private static final long SEEDS = 60;
    private static final long MAX_SEEDS = 150;

    /** The auditor judges what is opened and started, by what the rows say: not what should have been paused, or was never written down. */
    private static final Set<String> UNSEEN = Set.of(
            "a version that somebody else writes is ignored",
            "a task that is created again upgrades its machine again");

    @Test
    void auditorReportsNoViolationInCorrectWorlds() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            AuditedInPlaceRun.AuditedWorld world = AuditedInPlaceRun.of(seed, FleetDecider.standard());
            assertThat(world.violations()).as("violations in seed " + seed).isEmpty();
            assertThat(world.soundByTheSimulator())
                    .as("soundness of seed " + seed)
                    .isTrue();
            assertThat(world.decisions()).as("decisions of seed " + seed).isPositive();
        }
    }

    static Stream<Map.Entry<String, Decider>> brokenCores() {
        return AuditedInPlaceRun.brokenCores().entrySet().stream().filter(broken -> !UNSEEN.contains(broken.getKey()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenCores")
    void auditorDetectsABrokenCore(Map.Entry<String, Decider> broken) {
        AuditedInPlaceRun.AuditedWorld world = LongStream.rangeClosed(1, MAX_SEEDS)
                .mapToObj(seed -> AuditedInPlaceRun.of(seed, broken.getValue()))
                .filter(each -> !each.violations().isEmpty())
                .findFirst()
                .orElseThrow(() -> new AssertionError("the auditor does not find that " + broken.getKey()));
        assertThat(world.violations()).isNotEmpty();
    }
}
