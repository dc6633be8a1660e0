package dev.flotilla.orchestrator.leader;

import dev.flotilla.core.leader.HeartbeatMonitor;
import dev.flotilla.core.leader.TermTimeSource;
import dev.flotilla.runtime.process.ProcessClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time of one term's decisions. The wall clock is read when the term begins; from then on a monotonic clock is
 * used, which never goes back, and never before the last decision. The monotonic clock stops while a virtual machine is
 * suspended, and does not follow a correction of the wall clock. If the wall clock stays ahead for a while, this clock
 * follows it, provided that the broker's clock agrees: a wrong wall clock alone would open windows early before a
 * commit compares the clocks. If the wall clock is set back, this clock cannot follow, and the term must end: the next
 * one reads the wall clock again.
 */
final class LeaderTermClock implements TermTimeSource {
    /** A smaller lead of the wall clock is ignored: time synchronisation makes such steps. */
    static final Duration MIN_LEAD = Duration.ofSeconds(1);

    /** The wall clock must differ this long before it counts: it may have been set wrong for a moment. */
    static final Duration FOLLOW_DELAY = Duration.ofMinutes(1);

    private static final long NEVER = -1;

    private final ProcessClock processClock;
    private final long nanosAtStart;
    private long wallAtStart;
    private long lastMillis;
    private long aheadSince = NEVER;
    private long behindSince = NEVER;
    /** How far the broker's clock was ahead when it appended the last record; null before the first one. */
    private @Nullable Long brokerAhead;

    LeaderTermClock(ProcessClock processClock, Instant lastDecidedAt) {
        this.processClock = processClock;
        this.wallAtStart = processClock.wallMillis();
        this.nanosAtStart = processClock.monotonicNanos();
        this.lastMillis = lastDecidedAt.toEpochMilli();
    }

    @Override
    public Instant now() {
        lastMillis = Math.max(lastMillis, machineTime());
        return Instant.ofEpochMilli(lastMillis);
    }

    @Override
    public long machineTime() {
        return wallAtStart + elapsedMillis();
    }

    /** Milliseconds since the term began. */
    @Override
    public long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(processClock.monotonicNanos() - nanosAtStart);
    }

    /** Records that the broker has just appended a record, at this time of its clock. */
    void observeAppendTime(long at) {
        brokerAhead = at - machineTime();
    }

    /** Reads the wall clock again. Called regularly. */
    void readCalendar() {
        long ahead = processClock.wallMillis() - machineTime();
        aheadSince = ahead > MIN_LEAD.toMillis() ? since(aheadSince) : NEVER;
        behindSince = ahead < -HeartbeatMonitor.MAX_CLOCK_DIFFERENCE.toMillis() ? since(behindSince) : NEVER;
        if (isLasting(aheadSince) && brokerConfirms(ahead)) {
            wallAtStart += ahead;
            brokerAhead = Objects.requireNonNull(brokerAhead) - ahead;
            aheadSince = NEVER;
        }
    }

    /**
     * Whether the wall clock was set back and the broker's clock agrees with it: this clock stays ahead for the whole
     * term.
     */
    boolean isAheadForWholeTerm() {
        return isLasting(behindSince) && brokerConfirms(processClock.wallMillis() - machineTime());
    }

    private long since(long known) {
        return known == NEVER ? elapsedMillis() : known;
    }

    private boolean isLasting(long since) {
        return since != NEVER && elapsedMillis() - since >= FOLLOW_DELAY.toMillis();
    }

    private boolean brokerConfirms(long ahead) {
        return brokerAhead != null && Math.abs(ahead - brokerAhead) <= HeartbeatMonitor.MAX_CLOCK_DIFFERENCE.toMillis();
    }

    /**
     * Whether the broker's append time lies between sending and commit, within the allowed clock difference; sending
     * may take long.
     */
    static boolean isClockInSync(Instant sent, long appendedAt, Instant committed, Duration maxDifference) {
        return appendedAt >= sent.minus(maxDifference).toEpochMilli()
                && appendedAt <= committed.plus(maxDifference).toEpochMilli();
    }
}
