package dev.flotilla.orchestrator.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The instants of one term's decisions. The calendar is read when the term begins; from there on a clock is used that never
 * goes back, and never behind what was decided before. That clock stands still while a virtual machine is suspended, and
 * does not hear of a calendar that is set right: where the calendar stays ahead of it for a while, it follows.
 */
final class TermClock {
    /** So far ahead the calendar is after a suspension, and not by the steps in which it is disciplined. */
    static final Duration NOTICED = Duration.ofSeconds(1);

    /** So long the calendar stays ahead before it is followed: it may have been set wrong for a moment. */
    static final Duration FOLLOWED_AFTER = Duration.ofMinutes(1);

    private static final long NEVER = -1;

    private final TimeSource time;
    private final long nanosAtStart;
    private long wallAtStart;
    private long last;
    private long aheadSince = NEVER;

    TermClock(TimeSource time, Instant decided) {
        this.time = time;
        this.wallAtStart = time.wall();
        this.nanosAtStart = time.nanos();
        this.last = decided.toEpochMilli();
    }

    Instant now() {
        last = Math.max(last, own());
        return Instant.ofEpochMilli(last);
    }

    /** This machine's own opinion, whatever was decided before. */
    long own() {
        return wallAtStart + millis();
    }

    /** Milliseconds since the term began. */
    long millis() {
        return TimeUnit.NANOSECONDS.toMillis(time.nanos() - nanosAtStart);
    }

    /** Reads the calendar again. To be called now and then. */
    void follow() {
        long ahead = time.wall() - own();
        if (ahead <= NOTICED.toMillis()) {
            aheadSince = NEVER;
        } else if (aheadSince == NEVER) {
            aheadSince = millis();
        } else if (millis() - aheadSince >= FOLLOWED_AFTER.toMillis()) {
            wallAtStart += ahead;
            aheadSince = NEVER;
        }
    }

    /** Whether the broker took a record when it was sent, as far as two good clocks can tell; the sending may take long. */
    static boolean agrees(Instant sent, long appended, Instant committed, Duration apart) {
        return appended >= sent.minus(apart).toEpochMilli()
                && appended <= committed.plus(apart).toEpochMilli();
    }
}
