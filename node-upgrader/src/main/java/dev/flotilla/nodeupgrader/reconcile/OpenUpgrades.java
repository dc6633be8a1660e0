package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.runtime.retry.JitteredBackoff;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The NodeUpgrades that have not ended, each reconciled by a virtual thread of its own until it has. */
public final class OpenUpgrades implements AutoCloseable {
    /** How many are reconciled at the same moment; more wait. */
    private static final int MAX_AT_ONCE = 64;

    private static final JitteredBackoff RETRY_BACKOFF =
            JitteredBackoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(15));

    /** After how many writes without a pause one is made, so that a mistake cannot flood an API server. */
    private static final int MAX_CONTINUED = 5;

    /** After how many reads without a write one is read less often: its node is silent. */
    private static final int SILENT_AFTER = 60;

    private static final int SILENT_FACTOR = 5;

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

    private final NodeUpgradeReconciler reconciler;
    private final UpgraderListener listener;
    private final long pollMillis;
    private final Semaphore permits = new Semaphore(MAX_AT_ONCE);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<String, FollowedUpgrade> followed = new ConcurrentHashMap<>();

    /**
     * A NodeUpgrade that is reconciled.
     *
     * @param seenAgain whether it was seen since its latest reconciliation began, which may have read what was before
     */
    private record FollowedUpgrade(Thread thread, AtomicBoolean seenAgain) {}

    public OpenUpgrades(NodeUpgradeReconciler reconciler, UpgraderListener listener, Duration pollInterval) {
        this.reconciler = reconciler;
        this.listener = listener;
        this.pollMillis = pollInterval.toMillis();
    }

    /** Follows a NodeUpgrade until it has ended, if it is not followed already. */
    void follow(String namespace, String name) {
        if (stopped.getCount() == 0) {
            return;
        }
        String key = namespace + "/" + name;
        followed.compute(key, (same, before) -> {
            if (before != null) {
                before.seenAgain().set(true);
                return before;
            }
            AtomicBoolean seenAgain = new AtomicBoolean();
            return new FollowedUpgrade(
                    Thread.ofVirtual()
                            .name("upgrade " + key)
                            .start(() -> reconcileUntilClosed(namespace, name, seenAgain)),
                    seenAgain);
        });
    }

    private void reconcileUntilClosed(String namespace, String name, AtomicBoolean seenAgain) {
        String key = namespace + "/" + name;
        listener.upgradeOpened(key, followed.size());
        boolean closed = false;
        try {
            int failures = 0;
            int continued = 0;
            int waits = 0;
            long pause = 0;
            while (!stopped.await(pause, TimeUnit.MILLISECONDS)) {
                seenAgain.set(false);
                NodeUpgradeReconciler.NextStep next = reconcile(namespace, name);
                closed = next == NodeUpgradeReconciler.NextStep.CLOSE && closeUnlessSeenAgain(key);
                if (closed) {
                    return;
                }
                boolean failed = next == NodeUpgradeReconciler.NextStep.RETRY;
                failures = failed ? failures + 1 : 0;
                continued = next == NodeUpgradeReconciler.NextStep.CONTINUE ? (continued + 1) % MAX_CONTINUED : 0;
                waits = next == NodeUpgradeReconciler.NextStep.WAIT ? waits + 1 : 0;
                long poll = waits > SILENT_AFTER ? SILENT_FACTOR * pollMillis : pollMillis;
                pause = failed ? RETRY_BACKOFF.delayMillis(failures) : continued > 0 ? 0 : poll;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            listener.loopFailed(bug);
        } finally {
            if (!closed) {
                followed.remove(key);
            }
            listener.upgradeClosed(key, followed.size());
        }
    }

    /** Stops following a NodeUpgrade, so that the next who sees it follows it anew; false if it must be read again. */
    private boolean closeUnlessSeenAgain(String key) {
        return followed.computeIfPresent(
                        key, (same, latest) -> latest.seenAgain().get() ? latest : null)
                == null;
    }

    private NodeUpgradeReconciler.NextStep reconcile(String namespace, String name) throws InterruptedException {
        permits.acquire();
        try {
            return reconciler.reconcile(namespace, name);
        } finally {
            permits.release();
        }
    }

    /** Stops following all, after the requests that are in progress. */
    @Override
    public void close() {
        stopped.countDown();
        long end = System.nanoTime() + STOP_PATIENCE.toNanos();
        for (FollowedUpgrade each : followed.values()) {
            Thread thread = each.thread();
            try {
                if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                    thread.interrupt();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
