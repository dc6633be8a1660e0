package dev.flotilla.simulator.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decider;
import dev.flotilla.core.FleetDecider;
import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.row.AttemptProgress;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The real system in many worlds. Replay a failed seed with {@code ./flotilla simulate --seed N --transcript}. */
class SimulationRunnerTest {
    /** AuditedSimulationsTest in {@code rules} runs the seeds before, and audits them too. */
    private static final long FIRST_SEED = 131;

    private static final SeedRange SEEDS = new SeedRange(FIRST_SEED, Long.getLong("flotilla.seeds", 250));

    /** A world in which the workers of a site stop for good, which is rare. */
    private static final SeedRange RARE = new SeedRange(342, 342);

    /**
     * Besides the invariants, conditions that once caused a failure arise and hold: a machine opts out while it has an
     * open attempt and an entry of another campaign; and a change that did nothing reports success on a node that shows
     * a later revision.
     */
    @Test
    void everyInvariantHoldsAndNothingIsStuckInManyWorlds() {
        AtomicInteger optedOut = new AtomicInteger();
        AtomicInteger laterRevision = new AtomicInteger();
        SystemUnderTest watched = SystemUnderTest.REAL.with(() -> new ObservedDecider((state, input) -> {
            if (input instanceof DecisionInput.RecordReceived recordReceived) {
                if (recordReceived.change() instanceof MachineRow row && row.optOut() && isBetweenTwo(state, row)) {
                    optedOut.incrementAndGet();
                }
                if (recordReceived.change() instanceof AttemptProgress progress && showsLater(state, progress)) {
                    laterRevision.incrementAndGet();
                }
            }
        }));
        SimulationReport report = SimulationRunner.run(SEEDS, watched, done -> {});
        SimulationReport rare = SimulationRunner.run(RARE, watched, done -> {});
        System.out.printf(
                Locale.ROOT,
                "simulation: seeds %d to %d, %d events, %d attempts, %d crashes, %.0f s%n",
                SEEDS.first(),
                SEEDS.last(),
                report.events(),
                report.attempts(),
                report.crashes(),
                report.seconds());
        assertThat(report.violations()).isEmpty();
        assertThat(report.stuck()).isEmpty();
        assertThat(rare.violations()).isEmpty();
        assertThat(rare.stuck()).isEmpty();
        assertThat(report.seeds()).isEqualTo(SEEDS.count());
        assertThat(report.crashes()).isGreaterThanOrEqualTo(SEEDS.count());
        assertThat(report.attempts()).isGreaterThanOrEqualTo(10 * SEEDS.count());
        System.out.println("simulation: worlds by condition: " + report.conditions());
        Set<CoverageCondition> conditions = new HashSet<>(report.conditions().keySet());
        conditions.addAll(rare.conditions().keySet());
        assertThat(conditions).as("conditions that arose").contains(CoverageCondition.values());
        assertThat(optedOut).hasPositiveValue();
        assertThat(laterRevision).hasPositiveValue();
    }

    /** The real decider with an observer of its inputs. */
    private record ObservedDecider(BiConsumer<FleetState, DecisionInput> watcher) implements Decider {
        @Override
        public Decision decide(FleetState state, DecisionInput input) {
            watcher.accept(state, input);
            return FleetDecider.standard().decide(state, input);
        }

        @Override
        public void refreshDerivedState(FleetState state, Instant now) {
            FleetDecider.standard().refreshDerivedState(state, now);
        }
    }

    private static boolean isBetweenTwo(FleetState state, MachineRow row) {
        MachineView machine = state.machine(row.key());
        MachineStatus status = machine == null ? null : machine.status();
        return status != null
                && status.attempt() != null
                && status.entries().stream()
                        .anyMatch(entry ->
                                !entry.rolloutRef().equals(status.attempt().rolloutRef()));
    }

    private static boolean showsLater(FleetState state, AttemptProgress progress) {
        MachineView machine = state.machine(progress.key());
        UpgradeAttempt attempt = machine == null ? null : machine.attempt();
        return attempt != null
                && progress.report() instanceof AttemptReport.Succeeded succeeded
                && attempt.target() instanceof UpgradeTarget.Channel
                && succeeded.proof() == AttemptReport.SuccessProof.UPGRADED
                && succeeded.revision() != null
                && succeeded.revision().equals(machine.revision());
    }

    @ParameterizedTest
    @ValueSource(longs = {3, 7, 4242})
    void seedGivesTheSameTranscriptEveryTime(long seed) {
        String transcript = SimulationRunner.transcript(seed);
        assertThat(transcript).contains("leads, from seq").hasSizeGreaterThan(2000);
        assertThat(SimulationRunner.transcript(seed)).isEqualTo(transcript);
    }
}
