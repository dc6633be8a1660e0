package dev.flotilla.managementwatcher.view;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The UpgradeTasks of a site, and the clusters whose tasks changed since they were last processed. Used by one thread.
 */
public final class UpgradeTaskCache {
    private final Map<NamespacedName, UpgradeTaskView> tasks = new HashMap<>();
    private final Map<String, UpgradeTaskView> byUid = new HashMap<>();
    private final Set<TaskCluster> changed = new LinkedHashSet<>();

    /** Returns all tasks. */
    public Collection<UpgradeTaskView> tasks() {
        return tasks.values();
    }

    /** Whether a task still requests machines. */
    public boolean isAnyActive() {
        return tasks.values().stream().anyMatch(UpgradeTaskView::isActive);
    }

    /** Returns the task of a key; null for none. */
    public @Nullable UpgradeTaskView get(NamespacedName key) {
        return tasks.get(key);
    }

    /** Returns the task that a machine belongs to; null for none. */
    public @Nullable UpgradeTaskView taskOf(MachineView machine) {
        String uid = machine.task().uid();
        UpgradeTaskView task = uid == null ? null : byUid.get(uid);
        return task != null && task.key().namespace().equals(machine.key().namespace()) ? task : null;
    }

    /**
     * Stores a task unless a later version is known.
     *
     * @return uids of the tasks that request something else of their machines now
     */
    Set<String> put(UpgradeTaskView task, long asOf) {
        UpgradeTaskView before = tasks.get(task.key());
        if (before != null && before.version() > task.version() && before.version() > asOf) {
            return Set.of();
        }
        tasks.put(task.key(), task);
        if (before != null) {
            byUid.remove(before.uid());
        }
        byUid.put(task.uid(), task);
        if (before != null && before.withVersion(task.version()).equals(task)) {
            return Set.of();
        }
        changed.add(TaskCluster.of(task));
        Set<String> affected = new LinkedHashSet<>();
        if (before != null && !before.uid().equals(task.uid())) {
            changed.add(TaskCluster.of(before));
            affected.add(before.uid());
        }
        boolean same = before != null
                && before.uid().equals(task.uid())
                && before.isActive() == task.isActive()
                && Objects.equals(before.spec().target(), task.spec().target());
        if (!same) {
            affected.add(task.uid());
        }
        return affected;
    }

    /** Removes a task, unless a later version of it is known; returns its uid, or null. */
    @Nullable
    String remove(NamespacedName key, long version) {
        UpgradeTaskView before = tasks.get(key);
        if (before == null || before.version() > version) {
            return null;
        }
        tasks.remove(key);
        byUid.remove(before.uid());
        changed.add(TaskCluster.of(before));
        return before.uid();
    }

    /** Marks the clusters of all tasks as changed. */
    void markAllChanged() {
        tasks.values().forEach(task -> changed.add(TaskCluster.of(task)));
    }

    /** Forgets the versions: the store was restored from a backup. */
    void resetVersions() {
        for (UpgradeTaskView task : List.copyOf(tasks.values())) {
            UpgradeTaskView reset = task.withVersion(0);
            tasks.put(task.key(), reset);
            byUid.put(task.uid(), reset);
        }
    }

    /** Returns the clusters whose tasks changed, and clears the set. */
    public Set<TaskCluster> drainChanged() {
        Set<TaskCluster> drained = new LinkedHashSet<>(changed);
        changed.clear();
        return drained;
    }
}
