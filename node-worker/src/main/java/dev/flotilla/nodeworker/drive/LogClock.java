package dev.flotilla.nodeworker.drive;

/**
 * A worker's clocks, and what it knows of the log's: it is never earlier than when the newest record was appended that this
 * worker has read or written. A machine whose clock is behind would else call for a command that has ended. It writes a record
 * right before each call, so that between records nothing has to be reckoned.
 */
final class LogClock implements WorkerTime {
    private final WorkerTime own;
    /** When the newest record was appended. Read on any thread. */
    private volatile long newest;

    LogClock(WorkerTime own) {
        this.own = own;
    }

    /** A record was appended at this instant. For the loop's thread. */
    void appended(long at) {
        newest = Math.max(newest, at);
    }

    @Override
    public long clock() {
        return Math.max(own.clock(), newest);
    }

    @Override
    public long ticks() {
        return own.ticks();
    }
}
