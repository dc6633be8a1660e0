package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.UpgradeTaskSpec.SpecProblem;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineState;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskPhase;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.row.MachineRole;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plans one UpgradeTask. */
final class TaskPlanBuilder {
    /** Machines of a new task may be seen a little after the task itself. */
    static final Duration SETTLING = Duration.ofSeconds(10);

    private static final int MAX_NAMED = 5;
    /** The longest text of a failure beside others: an Event has room for those of all named machines. */
    private static final int MAX_FAILURE = 150;

    private final UpgradeTaskView task;
    private final ClusterTasks cluster;
    private final List<TaskMachine> owned;
    private final TaskMachineStatusFactory machineStatusFactory;
    private final TaskConditionFactory taskConditionFactory;

    TaskPlanBuilder(UpgradeTaskView task, ClusterTasks cluster, List<TaskMachine> owned) {
        this.task = task;
        this.cluster = cluster;
        this.owned = owned;
        this.machineStatusFactory = new TaskMachineStatusFactory(task, new MachineWaitFinder(cluster), cluster.now());
        this.taskConditionFactory = new TaskConditionFactory(task, cluster.now());
    }

    /** Plans a task that has ended: its machines show how, then it lets them go. */
    UpgradeTaskPlan planFinished() {
        List<MachineTaskGoal> goals = owned.stream()
                .filter(this::mayRelease)
                .map(machine -> task.status().phase() == TaskPhase.ABORTED
                        ? MachineTaskGoalFactory.abandoned(machine)
                        : MachineTaskGoalFactory.released(task, machine))
                .toList();
        Instant finishedAt = task.status().finishedAt();
        Long ttl = task.spec().ttlSeconds();
        Instant expiresAt = ttl == null || finishedAt == null || task.deleting() ? null : finishedAt.plusSeconds(ttl);
        boolean expired = expiresAt != null && !cluster.now().isBefore(expiresAt) && owned.isEmpty();
        return new UpgradeTaskPlan(
                task,
                !owned.isEmpty(),
                task.status(),
                expired,
                goals,
                expired || expiresAt == null || !cluster.now().isBefore(expiresAt) ? null : expiresAt);
    }

    /**
     * Whether a machine of a task that has ended may be let go: its intent is withdrawn, and nothing runs that the task
     * does not know. A failed machine is let go once its worker has removed the guards, since its condition waits too.
     */
    private boolean mayRelease(TaskMachine machine) {
        TaskMachineStatus status = task.status().machine(machine.name());
        TaskMachineState state = status == null ? null : status.state();
        boolean guarded =
                state == TaskMachineState.FAILED && machine.view().annotations().attempt() != null;
        return !machine.hasIntentOf(task.uid())
                && machine.withdrawnAttempt() == null
                && !guarded
                && (machine.settled() || state == TaskMachineState.SUCCEEDED || state == TaskMachineState.FAILED);
    }

    /** Plans a task that is aborted or deleted: what has not called is cancelled, what runs is awaited. */
    UpgradeTaskPlan planAbort() {
        Map<String, TaskMachineStatus> states = new TreeMap<>();
        for (TaskMachineStatus before : task.status().machines()) {
            states.put(
                    before.name(),
                    before.state().hasEnded() ? before : machineStatusFactory.aborted(before.name(), before));
        }
        List<MachineTaskGoal> goals = new ArrayList<>();
        List<String> running = new ArrayList<>();
        for (TaskMachine machine : owned) {
            TaskMachineStatus status = machineStatusFactory.createAborted(machine);
            states.put(machine.name(), status);
            if (!status.state().hasEnded()) {
                running.add(machine.name());
                goals.add(MachineTaskGoalFactory.owned(task, machine, status));
            } else if (machine.settled() && !machine.hasIntentOf(task.uid())) {
                goals.add(MachineTaskGoalFactory.abandoned(machine));
            }
        }
        TaskPhase phase = owned.isEmpty()
                ? TaskPhase.ABORTED
                : task.status().phase() == null
                        ? TaskPhase.WAITING
                        : task.status().phase();
        return plan(
                !owned.isEmpty(),
                phase,
                List.copyOf(states.values()),
                taskConditionFactory.createConditions(
                        taskConditionFactory.accepted(),
                        owned.isEmpty()
                                ? taskConditionFactory.completed(
                                        false, "Aborted", "The task was aborted; no upgrade of it runs")
                                : taskConditionFactory.completed(
                                        false,
                                        "Aborting",
                                        running.isEmpty()
                                                ? "Machines are being given back"
                                                : "Waiting for the running upgrades to end: " + join(running))),
                goals,
                null);
    }

    /** Plans a task whose spec is invalid. A spec cannot change, so that is the end of it. */
    UpgradeTaskPlan planInvalid(SpecProblem problem) {
        return plan(
                !owned.isEmpty(),
                TaskPhase.FAILED,
                List.of(),
                taskConditionFactory.createConditions(
                        taskConditionFactory.rejected("InvalidSpec", problem.toString()),
                        taskConditionFactory.completed(false, "InvalidSpec", problem.field() + " is invalid")),
                List.of(),
                null);
    }

    /** Plans a task whose owner another task upgrades. */
    UpgradeTaskPlan planBehind(UpgradeTaskView holder) {
        String name = holder.key().name();
        return planWaiting(
                taskConditionFactory.accepted(),
                "OwnerHeld",
                "UpgradeTask " + name + " upgrades " + task.spec().owner()
                        + "; this task begins when that one has ended. To abort that one: kubectl -n "
                        + holder.key().namespace() + " patch ut " + name
                        + " --type merge -p '{\"spec\":{\"phase\":\"Abort\"}}'",
                null);
    }

    private UpgradeTaskPlan planWaiting(
            UpgradeTaskStatus.TaskCondition accepted, String reason, String message, @Nullable Instant recheckAt) {
        return plan(
                task.hasFinalizer(),
                TaskPhase.WAITING,
                task.status().machines(),
                taskConditionFactory.createConditions(accepted, taskConditionFactory.completed(false, reason, message)),
                List.of(),
                recheckAt);
    }

    /**
     * Plans a task that upgrades machines.
     *
     * @param ofOwner machines that the spec selects
     * @param members those of them that the task upgrades, or has upgraded
     * @param holders the other tasks to which members belong, by name of the machine
     */
    UpgradeTaskPlan planActive(
            List<TaskMachine> ofOwner, List<TaskMachine> members, Map<String, UpgradeTaskView> holders) {
        Instant settledAt = task.createdAt().plus(SETTLING);
        boolean settling = cluster.now().isBefore(settledAt);
        Instant recheckAt = Stream.concat(
                        settling ? Stream.of(settledAt) : Stream.empty(),
                        members.stream()
                                .map(machineStatusFactory::findWait)
                                .filter(Objects::nonNull)
                                .map(MachineWait::until)
                                .filter(Objects::nonNull))
                .min(Comparator.naturalOrder())
                .orElse(null);
        if (!cluster.clusterExists()) {
            return planWaiting(
                    taskConditionFactory.rejected(
                            "ClusterNotFound",
                            "spec.clusterName '" + task.spec().clusterName() + "' is no Cluster in namespace "
                                    + task.key().namespace() + ": create it, or a task with another name"),
                    "ClusterNotFound",
                    "There is no such Cluster",
                    null);
        }
        if (ofOwner.isEmpty() && task.spec().machines().isEmpty()) {
            return planWaiting(
                    taskConditionFactory.rejected(
                            "NoMachines",
                            task.spec().owner() + " has no Machines in Cluster "
                                    + task.spec().clusterName()
                                    + ": create a task with the name of an owner that has some"),
                    "NoMachines",
                    "There is nothing to upgrade yet",
                    null);
        }
        Map<String, TaskMachineStatus> states = new TreeMap<>();
        for (TaskMachine machine : members) {
            states.put(machine.name(), machineStatusFactory.createStatus(machine, holders.get(machine.name())));
        }
        for (String name : task.spec().machines()) {
            TaskMachineStatus before = task.status().machine(name);
            boolean existed = before != null && !before.reason().equals("MachineNotFound");
            if (!states.containsKey(name)) {
                states.put(
                        name,
                        existed && before != null
                                ? machineStatusFactory.deleted(before)
                                : machineStatusFactory.missing(name, !settling));
            }
        }
        skipOtherMembers(members, states);
        List<TaskMachineStatus> all = List.copyOf(states.values());
        boolean ended = all.stream().allMatch(status -> status.state().hasEnded()) && !(all.isEmpty() && settling);
        TaskPhase phase = phaseOf(all, ended);
        boolean mayTake = task.hasFinalizer() && !ended;
        List<MachineTaskGoal> goals = members.stream()
                .filter(machine -> !holders.containsKey(machine.name()))
                .filter(machine ->
                        mayTake || task.uid().equals(machine.view().task().uid()))
                .map(machine -> MachineTaskGoalFactory.owned(task, machine, requireStatus(states, machine.name())))
                .toList();
        return plan(
                task.hasFinalizer() || !ended,
                phase,
                all,
                taskConditionFactory.createConditions(findRefusal(all), describe(phase, all)),
                goals,
                recheckAt);
    }

    /** A task is not accepted while the policy keeps all its machines from it: their provider, or the task's upgrader. */
    private UpgradeTaskStatus.TaskCondition findRefusal(List<TaskMachineStatus> machines) {
        boolean refused =
                !machines.isEmpty() && machines.stream().allMatch(each -> MachineWait.isRefusal(each.reason()));
        TaskMachineStatus first = refused ? machines.getFirst() : null;
        return first == null
                ? taskConditionFactory.accepted()
                : taskConditionFactory.rejected(first.reason(), first.name() + ": " + first.needs());
    }

    private static TaskMachineStatus requireStatus(Map<String, TaskMachineStatus> states, String name) {
        return Objects.requireNonNull(states.get(name), name);
    }

    /** Once a control-plane member has failed and nothing runs, the other members are not started any more. */
    private void skipOtherMembers(List<TaskMachine> members, Map<String, TaskMachineStatus> states) {
        Map<String, TaskMachine> controlPlane = members.stream()
                .filter(machine -> machine.view().role() == MachineRole.CONTROL_PLANE)
                .collect(Collectors.toMap(TaskMachine::name, machine -> machine));
        String failed = states.values().stream()
                .filter(status -> status.state() == TaskMachineState.FAILED && controlPlane.containsKey(status.name()))
                .map(TaskMachineStatus::name)
                .findFirst()
                .orElse(null);
        boolean othersEnded = states.values().stream()
                .allMatch(status -> status.state().hasEnded()
                        || (status.state() == TaskMachineState.WAITING && controlPlane.containsKey(status.name())));
        if (failed != null && othersEnded) {
            controlPlane.forEach((name, machine) -> states.computeIfPresent(
                    name,
                    (same, status) ->
                            status.state().hasEnded() ? status : machineStatusFactory.skipped(machine, failed)));
        }
    }

    private static TaskPhase phaseOf(List<TaskMachineStatus> machines, boolean ended) {
        if (ended) {
            return machines.stream().anyMatch(machine -> machine.state() == TaskMachineState.FAILED)
                    ? TaskPhase.FAILED
                    : TaskPhase.COMPLETED;
        }
        return machines.stream().allMatch(machine -> machine.state() == TaskMachineState.WAITING)
                ? TaskPhase.WAITING
                : TaskPhase.IN_PROGRESS;
    }

    private UpgradeTaskStatus.TaskCondition describe(TaskPhase phase, List<TaskMachineStatus> machines) {
        return switch (phase) {
            case WAITING -> taskConditionFactory.completed(false, "Waiting", "No machine has started yet");
            case IN_PROGRESS -> taskConditionFactory.completed(false, "InProgress", "Machines are being upgraded");
            case COMPLETED -> taskConditionFactory.completed(true, "Completed", describeEnd(machines));
            case FAILED -> {
                List<String> failed = machines.stream()
                        .filter(machine -> machine.state() == TaskMachineState.FAILED)
                        .map(TaskPlanBuilder::describeFailure)
                        .toList();
                yield taskConditionFactory.completed(
                        false,
                        "MachinesFailed",
                        "Failed: " + join(failed) + ". Remove the cause, then create another task");
            }
            case ABORTED -> throw new IllegalArgumentException("an active task is not aborted");
        };
    }

    private static String describeFailure(TaskMachineStatus machine) {
        return machine.name() + " (" + machine.reason()
                + (machine.message().isEmpty() ? "" : ": " + RedactedText.truncate(machine.message(), MAX_FAILURE))
                + ")";
    }

    private static String describeEnd(List<TaskMachineStatus> machines) {
        List<String> skipped = machines.stream()
                .filter(machine -> machine.state() == TaskMachineState.SKIPPED)
                .map(TaskMachineStatus::name)
                .toList();
        return skipped.isEmpty()
                ? "All machines are at the target"
                : "All other machines are at the target; skipped: " + join(skipped);
    }

    private static String join(List<String> names) {
        return names.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                + (names.size() > MAX_NAMED ? " and " + (names.size() - MAX_NAMED) + " more" : "");
    }

    private UpgradeTaskPlan plan(
            boolean finalizer,
            TaskPhase phase,
            List<TaskMachineStatus> machines,
            List<UpgradeTaskStatus.TaskCondition> conditions,
            List<MachineTaskGoal> goals,
            @Nullable Instant recheckAt) {
        Instant finishedAt = phase.isFinal() ? TaskConditionFactory.seconds(cluster.now()) : null;
        List<TaskMachineStatus> listed = machines.stream()
                .sorted(Comparator.comparing(TaskMachineStatus::name))
                .limit(UpgradeTaskStatus.MAX_MACHINES)
                .toList();
        UpgradeTaskStatus status = new UpgradeTaskStatus(
                phase,
                UpgradeTaskStatus.TaskCounts.of(machines),
                listed,
                phase == TaskPhase.COMPLETED ? task.spec().version() : null,
                finishedAt,
                conditions,
                task.generation());
        return new UpgradeTaskPlan(task, finalizer, status, false, goals, recheckAt);
    }
}
