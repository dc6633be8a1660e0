package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.task.ClusterTasks;
import dev.flotilla.managementwatcher.task.MachineTaskGoal;
import dev.flotilla.managementwatcher.task.TaskMachine;
import dev.flotilla.managementwatcher.task.UpgradeTaskPlan;
import dev.flotilla.managementwatcher.task.UpgradeTaskPlanner;
import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.NamespacedName;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.TaskCluster;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The current plans of all UpgradeTasks. A cluster's tasks are planned together, again whenever something changed that
 * the plan depends on. Nothing here is remembered across restarts but what objects and rows show.
 */
final class UpgradeTaskTable {
    /**
     * How long a withdrawn intent is waited for: the orchestrator may just have admitted the machine, and reports that
     * within this time.
     */
    private static final long SETTLING_MILLIS = 2_000;

    private final SiteId site;
    private final SiteObjectCache cache;
    private final SiteMode mode;
    private final ReceivedStatusTable status;
    private final PublishedObjectRows publishedRows;
    private final Function<ObjectView, @Nullable String> findHold;
    private final Map<TaskCluster, List<UpgradeTaskPlan>> plans = new LinkedHashMap<>();
    private final Map<MachineKey, MachineTaskGoal> goals = new HashMap<>();
    private final Map<MachineKey, Long> withdrawnSince = new HashMap<>();
    private final Map<TaskCluster, Long> recheckAt = new HashMap<>();
    private final Set<TaskCluster> dirty = new LinkedHashSet<>();
    private @Nullable String siteReason;

    UpgradeTaskTable(
            SiteId site,
            SiteObjectCache cache,
            SiteMode mode,
            ReceivedStatusTable status,
            PublishedObjectRows publishedRows,
            Function<ObjectView, @Nullable String> findHold) {
        this.site = site;
        this.cache = cache;
        this.mode = mode;
        this.status = status;
        this.publishedRows = publishedRows;
        this.findHold = findHold;
    }

    /** Returns what a Machine is to show; null for what it shows. */
    @Nullable
    MachineTaskGoal goalOf(MachineKey machine) {
        return goals.get(machine);
    }

    /** Marks the tasks that an object may be about. */
    void markChanged(ObjectKey key) {
        switch (key) {
            case MachineKey machineKey -> {
                MachineView machine = cache.machine(machineKey);
                if (machine == null) {
                    withdrawnSince.remove(machineKey);
                    goals.remove(machineKey);
                    plans.keySet().stream()
                            .filter(cluster -> cluster.namespace().equals(machineKey.namespace()))
                            .forEach(dirty::add);
                } else if (!machine.task().equals(MachineTaskAnnotations.NONE)
                        || plans.containsKey(TaskCluster.of(machine))) {
                    dirty.add(TaskCluster.of(machine));
                }
            }
            case ClusterKey cluster -> markIfPlanned(new TaskCluster(cluster.namespace(), cluster.name()));
            case OwnerKey owner -> {
                if (cache.get(owner) instanceof OwnerView view) {
                    markIfPlanned(new TaskCluster(owner.namespace(), view.cluster()));
                }
            }
        }
    }

    private void markIfPlanned(TaskCluster cluster) {
        if (plans.containsKey(cluster)) {
            dirty.add(cluster);
        }
    }

    /**
     * Plans again what changed.
     *
     * @param now wall time in milliseconds
     * @param ticks monotonic time in milliseconds
     * @return the machines that are to show something else, and the tasks that were planned
     */
    PlannedChanges planChanged(long now, long ticks) {
        dirty.addAll(cache.tasks().drainChanged());
        for (TaskCluster cluster : List.copyOf(recheckAt.keySet())) {
            if (recheckAt.getOrDefault(cluster, Long.MAX_VALUE) <= ticks) {
                recheckAt.remove(cluster);
                dirty.add(cluster);
            }
        }
        if (!Objects.equals(siteReason, status.siteWaitReason())) {
            siteReason = status.siteWaitReason();
            dirty.addAll(plans.keySet());
        }
        if (dirty.isEmpty()) {
            return PlannedChanges.NONE;
        }
        Map<TaskCluster, List<MachineView>> machines = new HashMap<>();
        for (MachineView machine : cache.machines()) {
            TaskCluster cluster = TaskCluster.of(machine);
            if (dirty.contains(cluster)) {
                machines.computeIfAbsent(cluster, first -> new ArrayList<>()).add(machine);
            }
        }
        Map<TaskCluster, List<UpgradeTaskView>> tasks =
                cache.tasks().tasks().stream().collect(Collectors.groupingBy(TaskCluster::of));
        PlannedChanges changes = new PlannedChanges(new LinkedHashSet<>(), new LinkedHashSet<>());
        for (TaskCluster cluster : List.copyOf(dirty)) {
            planCluster(
                    cluster,
                    tasks.getOrDefault(cluster, List.of()),
                    machines.getOrDefault(cluster, List.of()),
                    now,
                    ticks,
                    changes);
        }
        dirty.clear();
        return changes;
    }

    /** The machines and tasks for which something may be written. */
    record PlannedChanges(Set<MachineKey> machines, Set<NamespacedName> tasks) {
        static final PlannedChanges NONE = new PlannedChanges(Set.of(), Set.of());
    }

    private void planCluster(
            TaskCluster cluster,
            List<UpgradeTaskView> tasks,
            List<MachineView> machines,
            long now,
            long ticks,
            PlannedChanges changes) {
        List<TaskMachine> taskMachines =
                machines.stream().map(machine -> toTaskMachine(machine, ticks)).toList();
        ClusterTasks clusterTasks = new ClusterTasks(
                tasks,
                taskMachines,
                cluster.name().isEmpty()
                        || cache.get(new ClusterKey(site, cluster.namespace(), cluster.name())) != null,
                cluster.name().isEmpty()
                        ? 0
                        : cache.countReplicas(
                                new ClusterKey(site, cluster.namespace(), cluster.name()), MachineRole.CONTROL_PLANE),
                status.annotationRules(),
                siteReason,
                Instant.ofEpochMilli(now));
        List<UpgradeTaskPlan> planned = UpgradeTaskPlanner.planTasks(clusterTasks);
        if (planned.isEmpty()) {
            plans.remove(cluster);
        } else {
            plans.put(cluster, planned);
        }
        planned.forEach(plan -> changes.tasks().add(plan.task().key()));
        Map<MachineKey, MachineTaskGoal> wanted = new HashMap<>();
        planned.stream().flatMap(plan -> plan.goals().stream()).forEach(goal -> wanted.put(goal.machine(), goal));
        if (cache.isAbsenceKnown(WatchedKind.UPGRADE_TASKS)) {
            UpgradeTaskPlanner.planLeftovers(taskMachines, findKnownUids(cluster.namespace()))
                    .forEach(goal -> wanted.putIfAbsent(goal.machine(), goal));
        }
        for (MachineView machine : machines) {
            MachineTaskGoal goal = wanted.get(machine.key());
            MachineTaskGoal before = goal == null ? goals.remove(machine.key()) : goals.put(machine.key(), goal);
            if (goal != null && !goal.equals(before)) {
                changes.machines().add(machine.key());
            }
        }
        scheduleRecheck(cluster, planned, taskMachines, now, ticks);
    }

    private Set<String> findKnownUids(String namespace) {
        Set<String> known = new HashSet<>();
        for (UpgradeTaskView task : cache.tasks().tasks()) {
            if (task.key().namespace().equals(namespace)) {
                known.add(task.uid());
            }
        }
        return known;
    }

    private void scheduleRecheck(
            TaskCluster cluster, List<UpgradeTaskPlan> planned, List<TaskMachine> machines, long now, long ticks) {
        long next = Long.MAX_VALUE;
        for (UpgradeTaskPlan plan : planned) {
            Instant at = plan.recheckAt();
            next = at == null ? next : Math.min(next, ticks + Math.max(0, at.toEpochMilli() - now));
        }
        for (TaskMachine machine : machines) {
            Long since = withdrawnSince.get(machine.view().key());
            if (since != null && !machine.settled()) {
                next = Math.min(next, since + SETTLING_MILLIS);
            }
        }
        if (next == Long.MAX_VALUE) {
            recheckAt.remove(cluster);
        } else {
            recheckAt.put(cluster, next);
        }
    }

    private TaskMachine toTaskMachine(MachineView machine, long ticks) {
        MachineKey key = machine.key();
        UpgradeIntent intent = publishedRows.intent(key);
        ReceivedMachineStatus received = status.machineStatus(key);
        MachineStatus row = received != null && received.row().uid().equals(machine.uid()) ? received.row() : null;
        UpgradeAnnotation annotation = cache.upgradeAnnotation(key);
        boolean goesFirst = annotation != null
                && annotation.isOnObject()
                && machine.annotations().reappliedBy() == null;
        MachineRow found = InventoryRowBuilder.buildMachineRow(
                machine, cache.ownerOf(machine), cache.tasks().taskOf(machine), mode);
        SiteAnnotationRules rules = status.annotationRules();
        return new TaskMachine(
                machine,
                rules == null ? found : found.withProvider(rules.providerOf(found.labels(), found.provider())),
                intent,
                row,
                annotation != null && goesFirst ? annotation.key() : null,
                isSettled(machine, intent, ticks),
                findHold.apply(machine));
    }

    private boolean isSettled(MachineView machine, @Nullable UpgradeIntent intent, long ticks) {
        if (machine.task().uid() == null) {
            withdrawnSince.remove(machine.key());
            return true;
        }
        if (intent != null && intent.task() != null) {
            withdrawnSince.remove(machine.key());
            return false;
        }
        return ticks - withdrawnSince.computeIfAbsent(machine.key(), first -> ticks) >= SETTLING_MILLIS;
    }

    /** Returns the plan of a task; null if it has none. */
    @Nullable
    UpgradeTaskPlan planOf(UpgradeTaskView task) {
        for (UpgradeTaskPlan plan : plans.getOrDefault(TaskCluster.of(task), List.of())) {
            if (plan.task().key().equals(task.key())) {
                return plan;
            }
        }
        return null;
    }
}
