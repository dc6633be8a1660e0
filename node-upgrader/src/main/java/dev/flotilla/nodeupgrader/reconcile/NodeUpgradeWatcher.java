package dev.flotilla.nodeupgrader.reconcile;

import dev.flotilla.kube.KubeApiClient;
import dev.flotilla.kube.KubeApiPath;
import dev.flotilla.kube.KubeObject;
import dev.flotilla.kube.KubeResponse;
import dev.flotilla.kube.WatchResult;
import dev.flotilla.nodeupgrader.contract.NodeUpgrade;
import dev.flotilla.nodeupgrader.contract.NodeUpgradePhase;
import dev.flotilla.runtime.retry.JitteredBackoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Finds the NodeUpgrades that have not ended: lists all, then watches. A watch that breaks is followed by a list. */
public final class NodeUpgradeWatcher implements AutoCloseable {
    private static final Duration WATCH_DURATION = Duration.ofSeconds(60);
    private static final Duration WATCH_GRACE = Duration.ofSeconds(10);

    /** How many watches follow a list: versions go back when the store is restored, which a watch does not show. */
    private static final int WATCHES_PER_LIST = 10;

    /** How many NodeUpgrades that have ended are deleted after a list, so that they do not delay those that run. */
    private static final int MAX_REMOVALS_PER_LIST = 32;

    private static final JitteredBackoff RETRY_BACKOFF =
            JitteredBackoff.doubling(Duration.ofMillis(250), Duration.ofSeconds(30));

    private final KubeApiClient management;
    private final OpenUpgrades openUpgrades;
    private final EndedUpgradeRemover endedUpgradeRemover;
    private final UpgraderListener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final String path = KubeApiPath.listPath(StatusWriter.VERSION, StatusWriter.PLURAL);
    private int failures;
    private int watches;
    private @Nullable String resumeVersion;

    public NodeUpgradeWatcher(
            KubeApiClient management,
            OpenUpgrades openUpgrades,
            EndedUpgradeRemover endedUpgradeRemover,
            UpgraderListener listener) {
        this.management = management;
        this.openUpgrades = openUpgrades;
        this.endedUpgradeRemover = endedUpgradeRemover;
        this.listener = listener;
        this.thread = Thread.ofVirtual().name("node-upgrades").unstarted(this::run);
    }

    /** Starts to list and watch on a thread of its own. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            long pause = 0;
            while (!stopped.await(pause, TimeUnit.MILLISECONDS)) {
                pause = listOrWatch();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException bug) {
            listener.loopFailed(bug);
        }
    }

    private long listOrWatch() throws InterruptedException {
        String since = resumeVersion;
        if (since == null || watches >= WATCHES_PER_LIST) {
            return list();
        }
        watches++;
        return switch (management.watch(path, since, WATCH_DURATION, WATCH_GRACE, handler())) {
            case WatchResult.WatchEnded watchEnded -> 0;
            case WatchResult.VersionExpired versionExpired -> {
                resumeVersion = null;
                yield 0;
            }
            case WatchResult.WatchBroken watchBroken -> {
                resumeVersion = null;
                yield handleFailure(watchBroken.reason());
            }
        };
    }

    private WatchResult.WatchHandler handler() {
        return new WatchResult.WatchHandler() {
            @Override
            public void onOpened() {
                failures = 0;
                listener.watchSucceeded();
            }

            @Override
            public void onEvent(String type, KubeObject object) {
                if (type.equals("ADDED") || type.equals("MODIFIED")) {
                    followIfOpen(object);
                }
                resumeVersion = object.resourceVersion();
            }
        };
    }

    private long list() {
        String from = "";
        String version;
        List<KubeObject> due = new ArrayList<>();
        do {
            KubeResponse page = management.listPage(path, "", from);
            if (!(page instanceof KubeResponse.SuccessResponse successResponse)) {
                return handleFailure(page.problem());
            }
            for (KubeObject object : successResponse.object().list("items")) {
                followIfOpen(object);
                if (endedUpgradeRemover.isDue(object)) {
                    due.add(object);
                }
            }
            String next = successResponse.object().text("metadata", "continue");
            from = next == null ? "" : next;
            version = successResponse.object().resourceVersion();
        } while (!from.isEmpty());
        followSomeOf(due);
        resumeVersion = version;
        watches = 0;
        failures = 0;
        listener.watchSucceeded();
        return 0;
    }

    /** Others than the last time, so that those of a cluster that does not answer do not keep the others. */
    private void followSomeOf(List<KubeObject> due) {
        Collections.shuffle(due);
        due.stream()
                .limit(MAX_REMOVALS_PER_LIST)
                .forEach(object -> openUpgrades.follow(object.namespace(), object.name()));
    }

    private void followIfOpen(KubeObject object) {
        boolean ended = NodeUpgradePhase.of(object.text("status", "phase")).isFinal();
        if (!ended || NodeUpgrade.isHeld(object)) {
            openUpgrades.follow(object.namespace(), object.name());
        }
    }

    private long handleFailure(String reason) {
        failures++;
        listener.watchFailed(reason);
        return RETRY_BACKOFF.delayMillis(failures);
    }

    @Override
    public void close() {
        stopped.countDown();
        thread.interrupt();
    }
}
