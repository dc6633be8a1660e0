package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.StableHash;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;

/**
 * How long a machine waits that failed, or that its worker refused to start. Spread by its name and not by chance, so that the
 * same rows give the same wait.
 */
final class RetryBackoff {
    private static final int MOST_DOUBLINGS = 20;
    private static final int SPREAD = 4;
    private static final Duration FIRST_REFUSED = Duration.ofSeconds(15);
    private static final Duration LONGEST_REFUSED = Duration.ofMinutes(15);

    private RetryBackoff() {}

    static Duration afterFailures(RetryRule rule, MachineKey machine, int failures) {
        return afterFailures(rule.initialBackoff(), rule.maxBackoff(), machine, failures);
    }

    /** After so many refusals in a row. */
    static Duration afterDeferrals(MachineKey machine, int times) {
        return afterFailures(FIRST_REFUSED, LONGEST_REFUSED, machine, times);
    }

    private static Duration afterFailures(Duration first, Duration longest, MachineKey machine, int times) {
        long wait = Math.min(longest.toMillis(), first.toMillis() << Math.min(times - 1, MOST_DOUBLINGS));
        long spread = wait / SPREAD;
        long part = Long.remainderUnsigned(
                new StableHash().add(machine.toString()).add(times).value(), spread + 1);
        return Duration.ofMillis(wait - part);
    }
}
