package dev.flotilla.core.fleet.time;

import java.time.Duration;

/** How long a command allows a call, and what is waited for around that. */
public final class CommandLeaseTimeouts {
    /** A command allows a call for this long, unless it is renewed. */
    public static final Duration DURATION = Duration.ofMinutes(15);

    /** It is renewed this long before it ends. */
    public static final Duration RENEW_BEFORE = Duration.ofMinutes(5);

    /** How long after its end the worker's word is still waited for. */
    public static final Duration GRACE = Duration.ofSeconds(30);

    /** How long an attempt of unknown outcome holds its slot, where no policy says. */
    public static final Duration LOST_AFTER = Duration.ofHours(2);

    /** How long an attempt may take after its call, while nothing is known of others and no policy says. */
    public static final Duration ATTEMPT_DEADLINE = Duration.ofMinutes(60);

    private CommandLeaseTimeouts() {}
}
