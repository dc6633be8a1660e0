package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.column.StableHash;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;

/**
 * How long a machine waits after a failure or a deferral. The spread comes from its name, not from chance, so that the
 * same rows give the same wait.
 */
final class RetryBackoff {
    private static final int MAX_DOUBLINGS = 20;
    private static final int SPREAD_DIVISOR = 4;
    private static final Duration FIRST_DEFERRAL = Duration.ofSeconds(15);
    private static final Duration LONGEST_DEFERRAL = Duration.ofMinutes(15);

    private RetryBackoff() {}

    static Duration afterFailures(RetryRule rule, MachineKey machine, int failures) {
        return afterFailures(rule.initialBackoff(), rule.maxBackoff(), machine, failures);
    }

    /** The wait after a number of deferrals in a row. */
    static Duration afterDeferrals(MachineKey machine, int times) {
        return afterFailures(FIRST_DEFERRAL, LONGEST_DEFERRAL, machine, times);
    }

    private static Duration afterFailures(Duration first, Duration longest, MachineKey machine, int times) {
        long wait = Math.min(longest.toMillis(), first.toMillis() << Math.min(times - 1, MAX_DOUBLINGS));
        long spread = wait / SPREAD_DIVISOR;
        long part = Long.remainderUnsigned(
                new StableHash().add(machine.toString()).add(times).value(), spread + 1);
        return Duration.ofMillis(wait - part);
    }
}
