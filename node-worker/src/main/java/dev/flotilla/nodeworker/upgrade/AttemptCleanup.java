package dev.flotilla.nodeworker.upgrade;

import dev.flotilla.runtime.retry.JitteredBackoff;
import java.time.Duration;

/**
 * The cleanup of one attempt: removes its cordon and guards, and retries if that fails, first at short intervals and
 * then at a slow pace.
 */
final class AttemptCleanup {
    /** Most cleanups that are tried before the end is reported without one. */
    private static final int MAX_CLEANUPS = 12;

    /** Most cleanups that are tried after the end, at a slow pace: for about one day. */
    private static final int MAX_LATE_CLEANUPS = 288;

    private static final JitteredBackoff LATE_CLEANUP_BACKOFF = JitteredBackoff.constant(Duration.ofSeconds(400));

    private final UpgradeAttemptParameters parameters;
    private final WorkerLoopContext workerLoopContext;
    /** Whether another worker owns the partition. */
    private boolean partitionLost;

    AttemptCleanup(UpgradeAttemptParameters parameters, WorkerLoopContext workerLoopContext) {
        this.parameters = parameters;
        this.workerLoopContext = workerLoopContext;
    }

    /** Ends late cleanups, because another worker owns the partition. */
    void onPartitionLost() {
        partitionLost = true;
    }

    /**
     * Cleans up.
     *
     * @param onEnd called on the loop's thread after a cleanup that succeeded, or after the last one that is tried
     *     before the end is reported
     */
    void cleanUp(NodeUpgrader nodeUpgrader, Runnable onEnd) {
        cleanUp(nodeUpgrader, onEnd, 1);
    }

    private void cleanUp(NodeUpgrader nodeUpgrader, Runnable onEnd, int attempts) {
        nodeUpgrader
                .cleanUp()
                .onComplete(cleanup -> workerLoopContext.submit(() -> {
                    workerLoopContext.listener().crashPointReached(UpgradeCrashPoint.UNDONE);
                    String problem = cleanup.succeeded() ? null : ExpectedFailureMessage.messageOf(cleanup.cause());
                    if (problem == null || attempts == MAX_CLEANUPS) {
                        if (problem != null) {
                            workerLoopContext.listener().cleanupFailed(parameters, problem);
                            cleanUpLater(nodeUpgrader, 1);
                        }
                        onEnd.run();
                    } else {
                        workerLoopContext.schedule(
                                workerLoopContext.pollIntervals().cleanupInterval(),
                                () -> cleanUp(nodeUpgrader, onEnd, attempts + 1));
                    }
                }));
    }

    /**
     * Retries a failed cleanup after the end was reported: the node is still cordoned, and an API server may be
     * unavailable for longer than the upgrade waits.
     */
    private void cleanUpLater(NodeUpgrader nodeUpgrader, int attempts) {
        workerLoopContext.schedule(LATE_CLEANUP_BACKOFF.delayMillis(), () -> {
            if (partitionLost) {
                return;
            }
            nodeUpgrader
                    .cleanUp()
                    .onComplete(cleanup -> workerLoopContext.submit(() -> {
                        if (cleanup.succeeded()) {
                            workerLoopContext.listener().cleanedUp(parameters);
                            return;
                        }
                        ExpectedFailureMessage.throwIfBug(cleanup.cause());
                        if (attempts < MAX_LATE_CLEANUPS) {
                            cleanUpLater(nodeUpgrader, attempts + 1);
                        }
                    }));
        });
    }
}
