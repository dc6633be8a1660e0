package dev.flotilla.core.attempt;

import dev.flotilla.core.fleet.Digest;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.RetryRule;
import java.time.Duration;

/** How long a failed machine waits. Spread by its name and not by chance, so that the same rows give the same wait. */
final class Backoff {
    private static final int MOST_DOUBLINGS = 20;
    private static final int SPREAD = 4;

    private Backoff() {}

    static Duration after(RetryRule rule, MachineKey machine, int failures) {
        long longest = rule.longest().toMillis();
        long wait = Math.min(longest, rule.first().toMillis() << Math.min(failures - 1, MOST_DOUBLINGS));
        long spread = wait / SPREAD;
        long part = Long.remainderUnsigned(
                new Digest().add(machine.toString()).add(failures).value(), spread + 1);
        return Duration.ofMillis(wait - part);
    }
}
