package dev.flotilla.schemas.row;

import java.time.Duration;

/**
 * How often and when a failed machine is retried. The wait doubles with each failure up to {@code maxBackoff}; a quarter of it
 * is jitter that depends on the machine's name.
 *
 * @param maxAttempts the number of attempts before the machine is quarantined
 */
public record RetryRule(int maxAttempts, Duration initialBackoff, Duration maxBackoff) {
    public static final RetryRule DEFAULT = new RetryRule(3, Duration.ofMinutes(1), Duration.ofMinutes(30));
}
