package dev.flotilla.cli.demo;

/**
 * A killed process.
 *
 * @param process name of the killed process
 * @param killedAt time of the kill, in milliseconds of the epoch
 * @param recoveredAt time of the next start (leader, broker), report (worker) or write (watcher); -1 for not yet
 */
record ProcessKill(KillTarget target, String process, long killedAt, long recoveredAt) {
    ProcessKill withRecoveredAt(long when) {
        return new ProcessKill(target, process, killedAt, when);
    }

    boolean isOver() {
        return recoveredAt >= 0;
    }

    double seconds() {
        return (recoveredAt - killedAt) / 1000.0;
    }
}
