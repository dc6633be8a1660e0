package dev.flotilla.core.leader;

import java.time.Instant;

/** The time of one leader term. */
public interface TermTimeSource {
    /** The time of the next decision, never before that of the last one. */
    Instant now();

    /** This host's time in milliseconds, without regard to earlier decisions. */
    long machineTime();

    /** Milliseconds since some fixed instant, by a clock that never goes back. */
    long elapsedMillis();
}
