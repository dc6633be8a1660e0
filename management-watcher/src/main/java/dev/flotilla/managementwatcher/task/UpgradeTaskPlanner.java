package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.UpgradeTaskSpec.TaskOwner;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Plans the UpgradeTasks of a cluster together. Of several tasks for one owner, the one that has machines already goes
 * first, then the oldest; the others wait. A machine belongs to one task: the annotation on it says to which.
 */
public final class UpgradeTaskPlanner {
    private final ClusterTasks cluster;
    private final Map<String, TaskMachine> machines = new LinkedHashMap<>();
    private final Map<String, List<TaskMachine>> ownedByTask = new HashMap<>();
    private final Map<TaskOwner, UpgradeTaskView> ownerHolders = new HashMap<>();

    /** Machines that an earlier task takes with this plan, by name. */
    private final Map<String, UpgradeTaskView> taken = new HashMap<>();

    private UpgradeTaskPlanner(ClusterTasks cluster) {
        this.cluster = cluster;
        cluster.machines().stream()
                .sorted(Comparator.comparing(TaskMachine::name))
                .forEach(machine -> machines.put(machine.name(), machine));
        for (TaskMachine machine : machines.values()) {
            String uid = machine.view().task().uid();
            if (uid != null) {
                ownedByTask.computeIfAbsent(uid, first -> new ArrayList<>()).add(machine);
            }
        }
    }

    /** Plans all tasks of a cluster. */
    public static List<UpgradeTaskPlan> planTasks(ClusterTasks cluster) {
        return new UpgradeTaskPlanner(cluster).plan();
    }

    /**
     * Returns the goals of machines that belong to a task that does not exist, or show one that is over: a person has
     * deleted it without its finalizer, or its kind.
     *
     * @param known uids of the tasks in the namespace
     */
    public static List<MachineTaskGoal> planLeftovers(List<TaskMachine> machines, Set<String> known) {
        return machines.stream()
                .filter(machine -> isLeftOver(machine.view().task(), known))
                .filter(machine -> machine.settled() && machine.withdrawnAttempt() == null)
                .map(MachineTaskGoalFactory::abandoned)
                .toList();
    }

    private static boolean isLeftOver(MachineTaskAnnotations state, Set<String> known) {
        boolean showsBegun = state.condition() != null
                && Set.of("Waiting", "ExternalUpgradeInProgress")
                        .contains(state.condition().reason());
        return state.uid() == null ? showsBegun : !known.contains(state.uid());
    }

    private List<UpgradeTaskPlan> plan() {
        List<UpgradeTaskView> inOrder = cluster.tasks().stream()
                .sorted(Comparator.comparing(
                                (UpgradeTaskView task) -> owned(task).isEmpty())
                        .thenComparing(UpgradeTaskView::createdAt)
                        .thenComparing(UpgradeTaskView::uid))
                .toList();
        List<UpgradeTaskPlan> plans = new ArrayList<>();
        for (UpgradeTaskView task : inOrder) {
            plans.add(plan(task));
        }
        return plans;
    }

    private List<TaskMachine> owned(UpgradeTaskView task) {
        return ownedByTask.getOrDefault(task.uid(), List.of());
    }

    private UpgradeTaskPlan plan(UpgradeTaskView task) {
        TaskPlanBuilder builder = new TaskPlanBuilder(task, cluster, owned(task));
        if (task.isFinished()) {
            return builder.planFinished();
        }
        if (task.isAborting()) {
            holdOwner(task);
            return builder.planAbort();
        }
        if (task.spec().problem() != null) {
            return builder.planInvalid(task.spec().problem());
        }
        TaskOwner owner = task.spec().owner();
        UpgradeTaskView holder = owner == null || !task.spec().machines().isEmpty() ? null : ownerHolders.get(owner);
        if (holder != null) {
            return builder.planBehind(holder);
        }
        holdOwner(task);
        List<TaskMachine> ofOwner = machines.values().stream()
                .filter(machine -> task.spec().selects(machine.view()))
                .toList();
        Map<String, UpgradeTaskView> holders = ofOwner.stream()
                .filter(machine -> holderOf(machine, task) != null)
                .collect(Collectors.toMap(TaskMachine::name, machine -> requireHolder(machine, task)));
        List<TaskMachine> members =
                ofOwner.stream().filter(machine -> isMember(machine, task)).toList();
        members.forEach(machine -> taken.putIfAbsent(machine.name(), task));
        return builder.planActive(ofOwner, members, holders);
    }

    /** The task holds its owner, unless another one does. */
    private void holdOwner(UpgradeTaskView task) {
        if (task.spec().owner() != null
                && task.spec().problem() == null
                && task.spec().machines().isEmpty()) {
            ownerHolders.putIfAbsent(task.spec().owner(), task);
        }
    }

    /** Whether a task upgrades a machine: it belongs to the task, is named by it, or differs from the target. */
    private static boolean isMember(TaskMachine machine, UpgradeTaskView task) {
        return task.uid().equals(machine.view().task().uid())
                || (!machine.view().deleting()
                        && (!task.spec().machines().isEmpty()
                                || (machine.view().kubeletVersion() != null
                                        && task.spec().differs(machine.view()))));
    }

    /** Returns the other task that a machine belongs to; null for none. */
    private @Nullable UpgradeTaskView holderOf(TaskMachine machine, UpgradeTaskView task) {
        String uid = machine.view().task().uid();
        if (uid == null) {
            return taken.get(machine.name());
        }
        return uid.equals(task.uid())
                ? null
                : cluster.tasks().stream()
                        .filter(other -> other.uid().equals(uid))
                        .findFirst()
                        .orElse(null);
    }

    private UpgradeTaskView requireHolder(TaskMachine machine, UpgradeTaskView task) {
        UpgradeTaskView holder = holderOf(machine, task);
        return holder == null ? task : holder;
    }
}
