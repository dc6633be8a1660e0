package dev.flotilla.cli.demo;

/**
 * A kill.
 *
 * @param process what exactly was killed
 * @param killedAt when, in milliseconds of the epoch
 * @param recoveredAt when the next start (leader, broker), report (worker) or write (watcher) came; -1 for not yet
 */
record ProcessKill(KillTarget target, String process, long killedAt, long recoveredAt) {
    ProcessKill recoveredAt(long when) {
        return new ProcessKill(target, process, killedAt, when);
    }

    boolean isOver() {
        return recoveredAt >= 0;
    }

    double seconds() {
        return (recoveredAt - killedAt) / 1000.0;
    }
}
