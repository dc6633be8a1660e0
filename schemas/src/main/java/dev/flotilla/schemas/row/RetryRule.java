package dev.flotilla.schemas.row;

import java.time.Duration;

/**
 * How often and when a failed machine is tried again. The wait doubles with each failure up to {@code longest}, and a
 * quarter of it is spread by the machine's name.
 *
 * @param maxAttempts tries in all, before the machine is quarantined
 */
public record RetryRule(int maxAttempts, Duration initialBackoff, Duration maxBackoff) {
    public static final RetryRule DEFAULT = new RetryRule(3, Duration.ofMinutes(1), Duration.ofMinutes(30));
}
