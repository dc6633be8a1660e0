package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.InvariantViolation;
import java.util.List;
import java.util.Map;

/**
 * The result of a range of seeds.
 *
 * @param conditions in how many worlds each condition arose; conditions that never arose are left out
 */
public record SimulationReport(
        long seeds,
        long events,
        long attempts,
        long crashes,
        List<InvariantViolation> violations,
        List<StuckMachine> stuck,
        Map<CoverageCondition, Integer> conditions,
        double seconds) {

    /** A machine that still waits although all faults have ended and no operator is needed. */
    public record StuckMachine(long seed, String machine, String gate) {}

    public boolean isClean() {
        return violations.isEmpty() && stuck.isEmpty();
    }
}
