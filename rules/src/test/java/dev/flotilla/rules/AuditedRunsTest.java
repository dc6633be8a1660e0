package dev.flotilla.rules;

import dev.flotilla.simulator.run.RecordedRun;
import dev.flotilla.simulator.run.Variant;
import org.junit.jupiter.api.Test;

/** The auditor reads what the simulator wrote: two programs that share no code agree on what is sound. */
class AuditedRunsTest {
    @Test
    void findsNothingInSoundRuns() {
        for (long seed = Long.getLong("audit.first", 1); seed <= Long.getLong("audit.last", 20); seed++) {
            RecordedRun.Audited run = RecordedRun.of(seed, Variant.REAL);
            System.err.println("seed " + seed + " decisions " + run.audit().decisions() + " unverified "
                    + run.audit().findings().unverified() + " unfinished "
                    + run.audit().unfinished(5)
                    + " violations " + run.violations().stream().limit(4).toList());
        }
    }
}
