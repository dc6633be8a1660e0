package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.rows.InventoryRowBuilder;
import dev.flotilla.managementwatcher.stub.SampleObjects;
import dev.flotilla.managementwatcher.view.MachineTaskAnnotations;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectViewFactory;
import dev.flotilla.managementwatcher.view.UpgradeTaskRequest;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptMachineSnapshot;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.SiteAnnotationRules;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.StartDeferral;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with UpgradeTasks. A step plans, and writes to the objects what was planned, as the watcher does; intents
 * are published at once.
 */
final class TaskScene {
    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final long ATTEMPT = 70;
    private static final RolloutRef SPRING = new RolloutRef.CampaignRef(new CampaignName("spring"), 5);

    private final ObjectViewFactory objectViewFactory = new ObjectViewFactory(new SiteId("east"));
    private final Map<String, UpgradeTaskView> tasks = new LinkedHashMap<>();
    private final Map<String, MachineView> machines = new LinkedHashMap<>();
    private final Map<String, UpgradeIntent> intents = new LinkedHashMap<>();
    private final Map<String, MachineStatus> rows = new LinkedHashMap<>();
    private final Map<String, String> annotations = new LinkedHashMap<>();
    private final List<String> deletedTasks = new ArrayList<>();
    private final List<String> unready = new ArrayList<>();
    private final Map<String, String> holds = new LinkedHashMap<>();
    private String bootstrapKind = "KubeadmConfig";
    private Instant now = NOW;
    private boolean settled = true;
    private boolean clusterExists = true;
    private @Nullable String siteReason;
    private @Nullable SiteAnnotationRules rules;

    /** Adds a worker of the MachineDeployment blue-workers, or a member of the control plane blue-cp. */
    TaskScene machine(String name, String version, String more) {
        boolean member = name.contains("-cp-");
        String labels = member
                ? "'cluster.x-k8s.io/control-plane': '', 'cluster.x-k8s.io/control-plane-name': 'blue-cp'"
                : "'cluster.x-k8s.io/deployment-name': 'blue-workers'";
        MachineView before = machines.get(name);
        machines.put(name, objectViewFactory.machineView(SampleObjects.kube("""
                {'metadata': {'namespace': 'fleet', 'name': '%1$s', 'uid': 'uid-%1$s', 'resourceVersion': '7',
                   'labels': {%2$s}%4$s},
                 'spec': {'clusterName': 'blue', 'bootstrap': {'configRef': {'kind': '%5$s'}}},
                 'status': {'nodeRef': {'name': '%1$s'}, 'nodeInfo': {'kubeletVersion': '%3$s'},
                   'conditions': [{'type': 'Ready', 'status': '%6$s'}]}}""".formatted(
                        name, labels, version, more, bootstrapKind, unready.contains(name) ? "False" : "True"))));
        if (before != null) {
            MachineView present = Objects.requireNonNull(machines.get(name));
            String reached = present.task().reachedSpec();
            machines.put(
                    name,
                    withTask(
                            present,
                            new MachineTaskAnnotations(
                                    before.task().uid(),
                                    reached == null ? before.task().reachedSpec() : reached,
                                    present.task().updateInProgress(),
                                    before.task().condition())));
        }
        return this;
    }

    TaskScene task(String name, String spec) {
        return task(name, spec, "");
    }

    TaskScene task(String name, String spec, String metadata) {
        UpgradeTaskView before = tasks.get(name);
        UpgradeTaskView task = objectViewFactory.upgradeTaskView(SampleObjects.kube(
                """
                {'metadata': {'namespace': 'fleet', 'name': '%1$s', 'uid': 'uid-%1$s', 'resourceVersion': '9',
                   'generation': 1, 'creationTimestamp': '%4$s'%3$s},
                 'spec': {%2$s}}""".formatted(name, withDefaults(spec), metadata, NOW.minusSeconds(60 - tasks.size()))));
        tasks.put(
                name,
                before == null
                        ? task
                        : new UpgradeTaskView(
                                task.key(),
                                task.uid(),
                                task.version(),
                                task.generation(),
                                before.createdAt(),
                                task.deleting(),
                                before.finalizers(),
                                task.spec(),
                                before.status()));
        return this;
    }

    private static String withDefaults(String spec) {
        return (spec.contains("'clusterName'") ? "" : "'clusterName': 'blue', ")
                + (spec.contains("'target'") ? "" : "'target': {'version': 'v1.36.3'}, ")
                + spec;
    }

    /** Plans and writes until nothing changes. */
    TaskScene settle() {
        for (int round = 0; round < 20; round++) {
            if (!step()) {
                return this;
            }
        }
        throw new AssertionError("the plans do not converge: " + tasks);
    }

    /** Plans and writes once. */
    boolean step() {
        boolean changed = false;
        for (UpgradeTaskPlan plan : plan()) {
            changed |= write(plan);
        }
        for (MachineTaskGoal goal : UpgradeTaskPlanner.planLeftovers(
                taskMachines(),
                tasks.values().stream().map(UpgradeTaskView::uid).collect(Collectors.toSet()))) {
            changed |= write(goal);
        }
        return publish() || changed;
    }

    List<UpgradeTaskPlan> plan() {
        return UpgradeTaskPlanner.planTasks(new ClusterTasks(
                List.copyOf(tasks.values()), taskMachines(), clusterExists, countMembers(), rules, siteReason, now));
    }

    private int countMembers() {
        return (int) machines.values().stream()
                .filter(machine -> machine.role() == MachineRole.CONTROL_PLANE)
                .count();
    }

    private List<TaskMachine> taskMachines() {
        return machines.values().stream()
                .map(view -> new TaskMachine(
                        view,
                        inventoryRow(view),
                        intents.get(view.key().name()),
                        rows.get(view.key().name()),
                        annotations.get(view.key().name()),
                        settled,
                        holds.get(view.key().name())))
                .toList();
    }

    private MachineRow inventoryRow(MachineView view) {
        MachineRow found = InventoryRowBuilder.buildMachineRow(view, null, null, SiteMode.DIRECT);
        return rules == null ? found : found.withProvider(rules.providerOf(found.labels(), found.provider()));
    }

    /** What the policies allow in the site. */
    TaskScene rules(List<String> targets, ProviderRule... providers) {
        rules = new SiteAnnotationRules(List.of(), targets, List.of(providers));
        return this;
    }

    private boolean write(UpgradeTaskPlan plan) {
        UpgradeTaskView task = plan.task();
        List<String> finalizers = plan.finalizer() ? List.of(UpgradeTaskView.FINALIZER) : List.of();
        UpgradeTaskView after = new UpgradeTaskView(
                task.key(),
                task.uid(),
                task.version(),
                task.generation(),
                task.createdAt(),
                task.deleting(),
                finalizers,
                task.spec(),
                plan.status());
        boolean changed = !after.equals(task);
        for (MachineTaskGoal goal : plan.goals()) {
            changed |= write(goal);
        }
        if (plan.expired() || (after.deleting() && finalizers.isEmpty())) {
            tasks.remove(task.key().name());
            deletedTasks.add(task.key().name());
            return true;
        }
        tasks.put(task.key().name(), after);
        return changed;
    }

    private boolean write(MachineTaskGoal goal) {
        MachineView machine = Objects.requireNonNull(machines.get(goal.machine().name()));
        MachineView after = withTask(
                machine,
                new MachineTaskAnnotations(
                        goal.taskUid(),
                        goal.reachedSpec(),
                        machine.task().updateInProgress(),
                        goal.conditionKept() ? machine.task().condition() : goal.condition()));
        machines.put(goal.machine().name(), after);
        return !after.equals(machine);
    }

    private static MachineView withTask(MachineView machine, MachineTaskAnnotations task) {
        return new MachineView(
                machine.key(),
                machine.uid(),
                machine.version(),
                machine.cluster(),
                machine.owner(),
                machine.role(),
                machine.labels(),
                machine.node(),
                machine.providerId(),
                machine.systemUuid(),
                machine.ready(),
                machine.deleting(),
                machine.paused(),
                machine.hold(),
                machine.optOut(),
                machine.kubeletVersion(),
                machine.architecture(),
                machine.activities(),
                machine.provider(),
                task,
                machine.annotations());
    }

    private boolean publish() {
        boolean changed = false;
        for (MachineView machine : machines.values()) {
            String name = machine.key().name();
            UpgradeTaskView task = tasks.values().stream()
                    .filter(each -> each.uid().equals(machine.task().uid()))
                    .findFirst()
                    .orElse(null);
            UpgradeTaskRequest request =
                    task == null || annotations.containsKey(name) ? null : task.requestFor(machine);
            UpgradeIntent before = intents.get(name);
            if (request == null) {
                changed |= intents.remove(name) != null;
            } else if (before == null || !request.task().equals(before.task())) {
                intents.put(
                        name,
                        new UpgradeIntent(
                                machine.key(),
                                machine.uid(),
                                request.target(),
                                now,
                                request.task(),
                                request.upgrader(),
                                request.expectedVersion()));
                changed = true;
            }
        }
        return changed;
    }

    TaskScene running(String name) {
        return running(name, new AttemptState.Admitted(now), null);
    }

    TaskScene running(String name, AttemptState state, @Nullable AttemptMachineSnapshot admitted) {
        UpgradeIntent intent = Objects.requireNonNull(intents.get(name), name);
        return running(name, rolloutRef(intent), state, admitted);
    }

    /** A campaign upgrades a machine to what its task asks for. */
    TaskScene runningForCampaign(String name) {
        return running(name, SPRING, new AttemptState.Admitted(now), null);
    }

    /** A campaign has tried in vain to upgrade a machine. */
    TaskScene failedForCampaign(String name) {
        UpgradeIntent intent = Objects.requireNonNull(intents.get(name), name);
        return withoutAttempt(
                name,
                failure(FailureClass.TERMINAL),
                new RolloutEntry(
                        SPRING, "all", 1, null, null, null, MachineOutcome.QUARANTINED, null, intent.target(), null));
    }

    private AttemptFailure failure(FailureClass failureClass) {
        return new AttemptFailure(ATTEMPT, failureClass, FailureReason.REFRESH_ERROR, "no space left", now);
    }

    private TaskScene withoutAttempt(String name, @Nullable AttemptFailure failure, RolloutEntry entry) {
        rows.put(
                name,
                new MachineStatus(
                        machineKey(name),
                        Objects.requireNonNull(machines.get(name)).uid(),
                        null,
                        failure,
                        List.of(entry)));
        return this;
    }

    private TaskScene running(
            String name, RolloutRef rolloutRef, AttemptState state, @Nullable AttemptMachineSnapshot admitted) {
        UpgradeIntent intent = Objects.requireNonNull(intents.get(name), name);
        UpgradeAttempt attempt = new UpgradeAttempt(ATTEMPT, rolloutRef, intent.target(), state, now, false, admitted);
        rows.put(
                name,
                new MachineStatus(
                        machineKey(name), intent.uid(), attempt, null, List.of(entry(intent, MachineOutcome.OPEN))));
        return this;
    }

    private MachineKey machineKey(String name) {
        return Objects.requireNonNull(machines.get(name)).key();
    }

    TaskScene ended(String name, MachineOutcome outcome) {
        UpgradeIntent intent = intents.get(name);
        MachineStatus before = rows.get(name);
        RolloutEntry entry = intent != null
                ? entry(intent, outcome)
                : Objects.requireNonNull(before).entries().getFirst().withOutcome(outcome);
        return withoutAttempt(
                name, outcome == MachineOutcome.QUARANTINED ? failure(FailureClass.TERMINAL) : null, entry);
    }

    TaskScene failedOnce(String name) {
        UpgradeIntent intent = Objects.requireNonNull(intents.get(name), name);
        return withoutAttempt(
                name,
                failure(FailureClass.RETRYABLE),
                entry(intent, MachineOutcome.OPEN).withFailedAttempts(1, now.plusSeconds(60), MachineOutcome.OPEN));
    }

    private static RolloutRef rolloutRef(UpgradeIntent intent) {
        return new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
    }

    private static RolloutEntry entry(UpgradeIntent intent, MachineOutcome outcome) {
        return new RolloutEntry(rolloutRef(intent), "", 0, null, null, null, outcome, null, intent.target(), null);
    }

    /** Its worker deferred the start, and it is tried again a minute later. */
    TaskScene deferred(String name, String reason) {
        UpgradeIntent intent = Objects.requireNonNull(intents.get(name), name);
        rows.put(
                name,
                new MachineStatus(
                        machineKey(name),
                        intent.uid(),
                        null,
                        null,
                        List.of(entry(intent, MachineOutcome.OPEN)
                                .withDeferral(new StartDeferral(1, reason), now.plusSeconds(60)))));
        return this;
    }

    /** Adds machines that a bootstrap provider of this kind has made. */
    TaskScene bootstrap(String kind) {
        bootstrapKind = kind;
        return this;
    }

    /** The next machine of this name is not Ready. */
    TaskScene unready(String name) {
        unready.add(name);
        return this;
    }

    TaskScene hold(String name, String text) {
        holds.put(name, text);
        return this;
    }

    TaskScene deleteMachine(String name) {
        machines.remove(name);
        intents.remove(name);
        rows.remove(name);
        return this;
    }

    TaskScene removeTask(String name) {
        tasks.remove(name);
        return this;
    }

    TaskScene annotate(String name, @Nullable String key) {
        if (key == null) {
            annotations.remove(name);
        } else {
            annotations.put(name, key);
        }
        return this;
    }

    TaskScene passed(long seconds) {
        now = now.plusSeconds(seconds);
        return this;
    }

    TaskScene settled(boolean value) {
        settled = value;
        return this;
    }

    TaskScene cluster(boolean exists) {
        clusterExists = exists;
        return this;
    }

    TaskScene siteWaits(@Nullable String reason) {
        siteReason = reason;
        return this;
    }

    UpgradeTaskView get(String task) {
        return Objects.requireNonNull(tasks.get(task), task);
    }

    boolean isDeleted(String task) {
        return deletedTasks.contains(task);
    }

    String phase(String task) {
        return Objects.requireNonNull(get(task).status().phase()).label();
    }

    UpgradeTaskStatus.TaskCondition condition(String task, String type) {
        return Objects.requireNonNull(get(task).status().condition(type), type);
    }

    /** The states of a task's machines, such as {@code blue-w-0 Waiting Queued}. */
    List<String> states(String task) {
        return get(task).status().machines().stream()
                .map(each -> each.name() + " " + each.state().label() + " " + each.reason())
                .toList();
    }

    TaskMachineStatus machineStatus(String task, String name) {
        return Objects.requireNonNull(get(task).status().machine(name), name);
    }

    MachineView view(String name) {
        return Objects.requireNonNull(machines.get(name), name);
    }

    /** The machines with an intent, each with its task. */
    UpgradeIntent intent(String machine) {
        return Objects.requireNonNull(intents.get(machine));
    }

    List<String> intents() {
        return intents.values().stream()
                .map(each -> each.object().name() + " " + each.target() + " "
                        + Objects.requireNonNull(each.task()).name())
                .toList();
    }

    /** What the Machines show, such as {@code blue-w-0 uid-a Waiting}. */
    List<String> owned() {
        return machines.values().stream()
                .map(each -> each.key().name() + " " + each.task().uid() + " "
                        + (each.task().condition() == null
                                ? null
                                : each.task().condition().reason()))
                .toList();
    }
}
