package dev.flotilla.orchestrator.loop;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The instants of one term's decisions. The calendar is read once, when the term begins; from there on a clock is used
 * that never goes back, and never behind what was decided before.
 */
final class TermClock {
    private final TimeSource time;
    private final long wallAtStart;
    private final long nanosAtStart;
    private long last;

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
}
