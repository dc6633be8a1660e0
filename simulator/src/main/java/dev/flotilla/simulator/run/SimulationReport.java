package dev.flotilla.simulator.run;

import dev.flotilla.simulator.check.Violation;
import java.util.List;

/** What came of a range of seeds. */
public record SimulationReport(
        long seeds,
        long events,
        long attempts,
        long crashes,
        List<Violation> violations,
        List<Stuck> stuck,
        double seconds) {

    public boolean good() {
        return violations.isEmpty() && stuck.isEmpty();
    }
}
