package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.InvariantViolation;
import java.util.List;
import java.util.Map;

/**
 * What came of a range of seeds.
 *
 * @param circumstances in how many worlds each came up; those that never did are left out
 */
public record SimulationReport(
        long seeds,
        long events,
        long attempts,
        long crashes,
        List<InvariantViolation> violations,
        List<StuckMachine> stuck,
        Map<CoverageCondition, Integer> circumstances,
        double seconds) {

    public boolean isClean() {
        return violations.isEmpty() && stuck.isEmpty();
    }
}
