package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.core.upgrade.ChangePollSchedule;
import dev.flotilla.core.upgrade.WaitReason;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Estimates how often to poll nodes: from the durations of changes that have ended, with some jitter. */
public final class PollIntervalEstimator {
    /** Interval at which a node is polled when its change is expected to end. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(5);

    private static final int VERIFICATION_DIVISOR = 5;
    private static final int MAX_FACTOR = 12;
    private static final int JITTER_PERCENT = 10;
    private static final int HUNDRED = 100;
    static final int MAX_KINDS = 64;

    private final long interval;
    private final RandomGenerator random;
    private final Map<MachineKind, ChangePollSchedule> schedules = new HashMap<>();

    /**
     * Machines whose changes take about as long.
     *
     * @param machineClass the orchestrator's class of machines within a role; null for all of them
     */
    public record MachineKind(MachineRole role, @Nullable String machineClass) {}

    public PollIntervalEstimator(Duration interval, RandomGenerator random) {
        this.interval = interval.toMillis();
        this.random = random;
    }

    /**
     * Returns the schedule of a kind. More kinds than the maximum share one schedule, because little would be known of
     * each.
     */
    private ChangePollSchedule scheduleOf(MachineKind machineKind) {
        boolean isKnown = schedules.containsKey(machineKind) || schedules.size() < MAX_KINDS;
        return schedules.computeIfAbsent(
                isKnown ? machineKind : new MachineKind(machineKind.role(), null),
                fresh -> new ChangePollSchedule(interval, MAX_FACTOR * interval));
    }

    /** Returns the pause before a failed cleanup is retried. */
    long cleanupInterval() {
        return withJitter(interval);
    }

    /** Records the duration from the call to the end of a change. */
    public void recordDuration(MachineKind machineKind, long millis) {
        scheduleOf(machineKind).recordEnded(millis);
    }

    /** Records a change that failed. */
    void recordFailure(MachineKind machineKind) {
        scheduleOf(machineKind).recordFailed();
    }

    /** Returns the interval of verification: most nodes show the result as soon as the change has ended. */
    private long verificationInterval(long elapsed) {
        long soon = interval / VERIFICATION_DIVISOR;
        return elapsed < soon ? soon : elapsed < interval ? 2 * soon : interval;
    }

    /**
     * Returns the next interval in milliseconds.
     *
     * @param elapsed time since the call while the change runs, and since its end during verification
     */
    public long intervalMillis(WaitReason waitReason, MachineKind machineKind, long elapsed) {
        long exact = switch (waitReason) {
            case CHANGE -> scheduleOf(machineKind).nextDelay(elapsed);
            case IDLE_NODE -> interval;
            case PROOF -> verificationInterval(elapsed);
            case LATE_PROOF -> MAX_FACTOR * interval;
        };
        return withJitter(exact);
    }

    private long withJitter(long exact) {
        long jitter = interval * JITTER_PERCENT / HUNDRED;
        return Math.max(1, exact - jitter / 2 + random.nextLong(jitter + 1));
    }
}
