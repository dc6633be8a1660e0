package dev.flotilla.nodeworker.upgrade;

/**
 * What the machine upgrades of a worker share.
 *
 * @param name name of this worker
 * @param wake ends the loop's wait
 * @param traced whether reports name the trace of their attempt
 */
record WorkerLoopContext(
        String name,
        BrokerAwareClock clock,
        NodeUpgrader.Factory upgraders,
        PollIntervalEstimator pollIntervals,
        WorkerLoopListener listener,
        LoopTaskQueue taskQueue,
        UpgradeStartLimiter startLimiter,
        Runnable wake,
        boolean traced) {
    /** Runs a task on the loop's thread soon. May be called on any thread. */
    void submit(Runnable action) {
        taskQueue.submit(action);
        wake.run();
    }

    /** Runs a task on the loop's thread after some milliseconds. For the loop's thread. */
    void schedule(long millis, Runnable action) {
        taskQueue.schedule(millis, action);
    }
}
