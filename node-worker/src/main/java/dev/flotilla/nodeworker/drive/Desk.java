package dev.flotilla.nodeworker.drive;

/**
 * What drives share: the clocks, the tools, and the loop's agenda.
 *
 * @param name of this worker
 * @param wake ends the loop's sleep
 */
record Desk(
        String name,
        LogClock time,
        Tools.Bench bench,
        Asking asking,
        WorkerListener listener,
        Agenda agenda,
        Starts starts,
        Runnable wake) {
    /** Does something on the loop's thread, soon. For every thread. */
    void run(Runnable action) {
        agenda.ask(action);
        wake.run();
    }

    /** Does something on the loop's thread after so many milliseconds. For the loop's thread. */
    void later(long millis, Runnable action) {
        agenda.later(millis, action);
    }
}
