package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.procedure.ChangePollSchedule;
import dev.flotilla.core.procedure.WaitReason;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How often nodes are asked: at the pace of the changes that have ended, a little apart from each other. */
public final class PollIntervalEstimator {
    /** While an end is expected a node is asked so often. */
    public static final Duration USUAL = Duration.ofSeconds(5);

    private static final int SOON = 5;
    private static final int LONGEST = 12;
    private static final int PERCENT_APART = 10;
    private static final int HUNDRED = 100;
    static final int MOST_KINDS = 64;

    private final long interval;
    private final RandomGenerator chance;
    private final Map<MachineKind, ChangePollSchedule> paces = new HashMap<>();

    /**
     * Machines whose changes take about as long.
     *
     * @param machineClass what the orchestrator tells machines of a role apart by; null for all of them
     */
    public record MachineKind(MachineRole role, @Nullable String machineClass) {}

    public PollIntervalEstimator(Duration interval, RandomGenerator chance) {
        this.interval = interval.toMillis();
        this.chance = chance;
    }

    /** More kinds than these are all one: so many have to be learned that little is known of each. */
    private ChangePollSchedule pace(MachineKind machineKind) {
        boolean isKnown = paces.containsKey(machineKind) || paces.size() < MOST_KINDS;
        return paces.computeIfAbsent(
                isKnown ? machineKind : new MachineKind(machineKind.role(), null),
                fresh -> new ChangePollSchedule(interval, LONGEST * interval));
    }

    /** How long to wait before what could not be undone is tried again. */
    long cleanupInterval() {
        return interval;
    }

    /** A change has ended, so long after its call. */
    public void recordDuration(MachineKind machineKind, long millis) {
        pace(machineKind).recordEnded(millis);
    }

    /** A change has failed. */
    void recordFailure(MachineKind machineKind) {
        pace(machineKind).recordFailed();
    }

    /** Most nodes show where they are as soon as the change has ended. */
    private long proof(long elapsed) {
        long soon = interval / SOON;
        return elapsed < soon ? soon : elapsed < interval ? 2 * soon : interval;
    }

    /**
     * How long to wait, in milliseconds.
     *
     * @param elapsed since the call, where a change is waited for; since its end, where its proof is
     */
    public long intervalMillis(WaitReason waitReason, MachineKind machineKind, long elapsed) {
        long exact = switch (waitReason) {
            case CHANGE -> pace(machineKind).nextDelay(elapsed);
            case IDLE_NODE -> interval;
            case PROOF -> proof(elapsed);
            case LATE_PROOF -> LONGEST * interval;
        };
        long apart = interval * PERCENT_APART / HUNDRED;
        return Math.max(1, exact - apart / 2 + chance.nextLong(apart + 1));
    }
}
