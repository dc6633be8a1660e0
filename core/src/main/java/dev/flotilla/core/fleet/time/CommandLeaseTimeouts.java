package dev.flotilla.core.fleet.time;

import java.time.Duration;

/** The durations of command leases and attempts. */
public final class CommandLeaseTimeouts {
    /** The length of a command lease. */
    public static final Duration DURATION = Duration.ofMinutes(15);

    /** How long before its end a lease is renewed. */
    public static final Duration RENEW_BEFORE = Duration.ofMinutes(5);

    /** How long after its end a report of the worker is still awaited. */
    public static final Duration GRACE = Duration.ofSeconds(30);

    /** How long an attempt of unknown outcome keeps its slot, unless a policy sets it. */
    public static final Duration LOST_AFTER = Duration.ofHours(2);

    /** How long an attempt may take after its call, while no durations are known and no policy sets it. */
    public static final Duration ATTEMPT_DEADLINE = Duration.ofMinutes(60);

    private CommandLeaseTimeouts() {}
}
