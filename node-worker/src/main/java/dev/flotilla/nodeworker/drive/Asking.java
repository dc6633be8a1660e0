package dev.flotilla.nodeworker.drive;

import dev.flotilla.core.procedure.Pace;
import dev.flotilla.core.procedure.Pause;
import dev.flotilla.schemas.row.Role;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/** How often nodes are asked: at the pace of the changes that have ended, a little apart from each other. */
public final class Asking {
    /** While an end is expected a node is asked so often. */
    public static final Duration USUAL = Duration.ofSeconds(5);

    private static final int LONGEST = 12;
    private static final int PERCENT_APART = 10;
    private static final int HUNDRED = 100;

    private final long interval;
    private final RandomGenerator chance;
    private final Map<Role, Pace> paces = new EnumMap<>(Role.class);

    public Asking(Duration interval, RandomGenerator chance) {
        this.interval = interval.toMillis();
        this.chance = chance;
    }

    private Pace pace(Role role) {
        return paces.computeIfAbsent(role, kind -> new Pace(interval, LONGEST * interval));
    }

    /** How long to wait before what could not be undone is tried again. */
    long undoing() {
        return interval;
    }

    /** A change has ended, so long after its call. */
    public void ended(Role role, long millis) {
        pace(role).ended(millis);
    }

    /** A change has failed. */
    void failed(Role role) {
        pace(role).failed();
    }

    /**
     * How long to wait, in milliseconds.
     *
     * @param elapsed since the call, where a change is waited for
     */
    public long length(Pause pause, Role role, long elapsed) {
        long exact = switch (pause) {
            case CHANGE -> pace(role).next(elapsed);
            case IDLE_NODE, PROOF -> interval;
            case LATE_PROOF -> LONGEST * interval;
        };
        long apart = interval * PERCENT_APART / HUNDRED;
        return Math.max(1, exact - apart / 2 + chance.nextLong(apart + 1));
    }
}
