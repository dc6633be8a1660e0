package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeResponse;
import dev.flotilla.managementwatcher.event.WatcherListener;
import dev.flotilla.managementwatcher.task.UpgradeTaskPlan;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.runtime.retry.JitteredBackoff;
import dev.flotilla.schemas.id.MachineKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Writes UpgradeTasks, one write of a task at a time, each planned from the task as it is. Used by one thread; the
 * writes run on virtual threads.
 */
final class UpgradeTaskReporter {
    private static final JitteredBackoff RETRY_BACKOFF =
            JitteredBackoff.doubling(Duration.ofMillis(500), Duration.ofMinutes(1));

    /** A status that somebody else keeps changing is written at this interval. */
    private static final long REPEAT_INTERVAL = 60_000;

    private final SiteObjectCache cache;
    private final UpgradeTaskTable upgradeTaskTable;
    private final UpgradeTaskWriter upgradeTaskWriter;
    private final ObjectViewFactory objectViewFactory;
    private final int maxConcurrentWrites;
    private final WatcherListener listener;
    private final Map<NamespacedName, Long> dueAt = new LinkedHashMap<>();
    private final Map<NamespacedName, Integer> failures = new HashMap<>();
    private final Map<NamespacedName, WrittenStatus> writtenStatus = new HashMap<>();
    private final Set<NamespacedName> writing = new HashSet<>();
    private final ConcurrentLinkedQueue<CompletedTaskWrite> completedWrites = new ConcurrentLinkedQueue<>();

    /** A completed write and its response. */
    private record CompletedTaskWrite(UpgradeTaskWrite write, KubeResponse reply) {}

    /** The status that was written last, and when. */
    private record WrittenStatus(String uid, UpgradeTaskStatus status, long at) {}

    UpgradeTaskReporter(
            SiteObjectCache cache,
            UpgradeTaskTable upgradeTaskTable,
            UpgradeTaskWriter upgradeTaskWriter,
            ObjectViewFactory objectViewFactory,
            int maxConcurrentWrites,
            WatcherListener listener) {
        this.cache = cache;
        this.upgradeTaskTable = upgradeTaskTable;
        this.upgradeTaskWriter = upgradeTaskWriter;
        this.objectViewFactory = objectViewFactory;
        this.maxConcurrentWrites = maxConcurrentWrites;
        this.listener = listener;
    }

    /** Plans what changed, writes the tasks that are due, and returns the machines that are to show something else. */
    Set<MachineKey> writeChanges(long now, long ticks) {
        for (CompletedTaskWrite each = completedWrites.poll(); each != null; each = completedWrites.poll()) {
            handleCompletedWrite(each, ticks);
        }
        UpgradeTaskTable.PlannedChanges changes = upgradeTaskTable.planChanged(now, ticks);
        for (NamespacedName key : changes.tasks()) {
            if (!failures.containsKey(key)) {
                dueAt.put(key, ticks);
            }
        }
        for (NamespacedName key : List.copyOf(dueAt.keySet())) {
            if (dueAt.getOrDefault(key, ticks) <= ticks
                    && !writing.contains(key)
                    && writing.size() < maxConcurrentWrites) {
                dueAt.remove(key);
                startNextWrite(key, ticks);
            }
        }
        return changes.machines();
    }

    private void startNextWrite(NamespacedName key, long ticks) {
        UpgradeTaskView task = cache.tasks().get(key);
        UpgradeTaskPlan plan = task == null ? null : upgradeTaskTable.planOf(task);
        UpgradeTaskWrite write = plan == null ? null : UpgradeTaskWritePlanner.planWrite(plan);
        if (write == null) {
            failures.remove(key);
            if (task == null) {
                writtenStatus.remove(key);
            }
            return;
        }
        Long repeatAt = repeatAt(write);
        if (repeatAt != null && repeatAt > ticks) {
            dueAt.put(key, repeatAt);
            return;
        }
        writing.add(key);
        Thread.ofVirtual()
                .name("write-upgrade-task")
                .start(() -> completedWrites.add(new CompletedTaskWrite(write, upgradeTaskWriter.write(write))));
    }

    /** Returns when a status that was written already may be written again; null for any other write. */
    private @Nullable Long repeatAt(UpgradeTaskWrite write) {
        WrittenStatus written = writtenStatus.get(write.task().key());
        return write instanceof UpgradeTaskWrite.TaskStatusWrite statusWrite
                        && written != null
                        && written.uid().equals(write.task().uid())
                        && written.status().equals(statusWrite.status())
                ? Long.valueOf(written.at() + REPEAT_INTERVAL)
                : null;
    }

    private void handleCompletedWrite(CompletedTaskWrite completed, long ticks) {
        UpgradeTaskWrite write = completed.write();
        NamespacedName key = write.task().key();
        writing.remove(key);
        if (completed.reply() instanceof KubeResponse.SuccessResponse success) {
            failures.remove(key);
            if (write instanceof UpgradeTaskWrite.TaskStatusWrite statusWrite) {
                writtenStatus.put(key, new WrittenStatus(write.task().uid(), statusWrite.status(), ticks));
            }
            listener.upgradeTaskWritten(key, write.label());
            UpgradeTaskView written = objectViewFactory.upgradeTaskView(success.object());
            boolean gone = write instanceof UpgradeTaskWrite.TaskDeletion
                    || (written.deleting() && written.finalizers().isEmpty());
            // A task that is gone, or that was deleted before this response arrived, must not come back.
            if (!gone && cache.tasks().get(key) != null) {
                cache.put(written);
                dueAt.put(key, ticks);
            }
            return;
        }
        int times = failures.merge(key, 1, Integer::sum);
        dueAt.put(key, ticks + RETRY_BACKOFF.delayMillis(times));
        // A conflict or a missing task is no failure: the task changed, or was deleted.
        if (!completed.reply().isConflict() && !completed.reply().isMissing()) {
            listener.upgradeTaskWriteFailed(key, completed.reply().problem());
        }
    }
}
