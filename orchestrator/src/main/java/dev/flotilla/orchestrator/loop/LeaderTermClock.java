package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.term.HeartbeatMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The instants of one term's decisions. The calendar is read when the term begins; from there on a clock is used that never
 * goes back, and never behind what was decided before. That clock stands still while a virtual machine is suspended, and
 * does not hear of a calendar that is set right. Where the calendar stays ahead of it for a while it follows, if the broker
 * says so too: a calendar alone may be wrong, and windows would open early before a commit compares. Where the calendar is set
 * back, this clock cannot follow, and the term has to end: the next one reads the calendar anew.
 */
final class LeaderTermClock {
    /** So far ahead the calendar is after a suspension, and not by the steps in which it is disciplined. */
    static final Duration NOTICED = Duration.ofSeconds(1);

    /** So long the calendar stays apart before that counts: it may have been set wrong for a moment. */
    static final Duration FOLLOWED_AFTER = Duration.ofMinutes(1);

    private static final long NEVER = -1;

    private final LoopClock time;
    private final long nanosAtStart;
    private long wallAtStart;
    private long last;
    private long aheadSince = NEVER;
    private long behindSince = NEVER;
    /** How far the broker's clock was ahead when it took the last record; null before the first. */
    private @Nullable Long brokerAhead;

    LeaderTermClock(LoopClock time, Instant decided) {
        this.time = time;
        this.wallAtStart = time.wallMillis();
        this.nanosAtStart = time.monotonicNanos();
        this.last = decided.toEpochMilli();
    }

    Instant now() {
        last = Math.max(last, machineTime());
        return Instant.ofEpochMilli(last);
    }

    /** This machine's own opinion, whatever was decided before. */
    long machineTime() {
        return wallAtStart + elapsedMillis();
    }

    /** Milliseconds since the term began. */
    long elapsedMillis() {
        return TimeUnit.NANOSECONDS.toMillis(time.monotonicNanos() - nanosAtStart);
    }

    /** The broker has taken a record just now, at this instant by its own clock. */
    void observeAppendTime(long at) {
        brokerAhead = at - machineTime();
    }

    /** Reads the calendar again. To be called now and then. */
    void readCalendar() {
        long ahead = time.wallMillis() - machineTime();
        aheadSince = ahead > NOTICED.toMillis() ? since(aheadSince) : NEVER;
        behindSince = ahead < -HeartbeatMonitor.MAX_CLOCK_DIFFERENCE.toMillis() ? since(behindSince) : NEVER;
        if (isLasting(aheadSince) && isToldByTheBroker(ahead)) {
            wallAtStart += ahead;
            brokerAhead = Objects.requireNonNull(brokerAhead) - ahead;
            aheadSince = NEVER;
        }
    }

    /** Whether the calendar was set back, and rightly so by the broker's clock: this one stays ahead for the whole term. */
    boolean isAheadForWholeTerm() {
        return isLasting(behindSince) && isToldByTheBroker(time.wallMillis() - machineTime());
    }

    private long since(long known) {
        return known == NEVER ? elapsedMillis() : known;
    }

    private boolean isLasting(long since) {
        return since != NEVER && elapsedMillis() - since >= FOLLOWED_AFTER.toMillis();
    }

    private boolean isToldByTheBroker(long ahead) {
        return brokerAhead != null && Math.abs(ahead - brokerAhead) <= HeartbeatMonitor.MAX_CLOCK_DIFFERENCE.toMillis();
    }

    /** Whether the broker took a record when it was sent, as far as two good clocks can tell; the sending may take long. */
    static boolean isClockInSync(Instant sent, long appended, Instant committed, Duration apart) {
        return appended >= sent.minus(apart).toEpochMilli()
                && appended <= committed.plus(apart).toEpochMilli();
    }
}
