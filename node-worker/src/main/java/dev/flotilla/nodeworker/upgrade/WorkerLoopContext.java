package dev.flotilla.nodeworker.upgrade;

/**
 * What drives share: the clocks, the tools, and the loop's agenda.
 *
 * @param name of this worker
 * @param wake ends the loop's sleep
 */
record WorkerLoopContext(
        String name,
        BrokerAwareClock clock,
        NodeUpgrader.Factory upgraders,
        PollIntervalEstimator pollIntervals,
        WorkerLoopListener listener,
        LoopTaskQueue taskQueue,
        UpgradeStartLimiter startLimiter,
        Runnable wake) {
    /** Does something on the loop's thread, soon. For every thread. */
    void submit(Runnable action) {
        taskQueue.submit(action);
        wake.run();
    }

    /** Does something on the loop's thread after so many milliseconds. For the loop's thread. */
    void schedule(long millis, Runnable action) {
        taskQueue.schedule(millis, action);
    }
}
