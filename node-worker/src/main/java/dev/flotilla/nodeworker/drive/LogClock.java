package dev.flotilla.nodeworker.drive;

/**
 * A worker's clocks, and what it knows of the log's: it is never earlier than the newest record was appended that this worker has
 * read or written. A machine whose clock is behind would else call for a command that has ended.
 */
final class LogClock implements WorkerTime {
    private final WorkerTime own;
    /** How far the log's calendar is ahead of the clock that nobody sets, at the least. Read on any thread. */
    private volatile long ahead;

    LogClock(WorkerTime own) {
        this.own = own;
        this.ahead = own.clock() - own.ticks();
    }

    /** A record was appended at this instant. For the loop's thread. */
    void appended(long at) {
        ahead = Math.max(ahead, at - own.ticks());
    }

    @Override
    public long clock() {
        return Math.max(own.clock(), ahead + own.ticks());
    }

    @Override
    public long ticks() {
        return own.ticks();
    }
}
