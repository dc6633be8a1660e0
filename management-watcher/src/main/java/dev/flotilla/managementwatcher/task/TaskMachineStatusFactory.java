package dev.flotilla.managementwatcher.task;

import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineState;
import dev.flotilla.managementwatcher.view.UpgradeTaskStatus.TaskMachineStatus;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.json.tree.RedactedText;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Creates the status of a machine in an UpgradeTask from what the tables say. */
final class TaskMachineStatusFactory {
    private static final int MAX_TEXT = 1_024;

    private final UpgradeTaskView task;
    private final MachineWaitFinder machineWaitFinder;
    private final Instant now;

    TaskMachineStatusFactory(UpgradeTaskView task, MachineWaitFinder machineWaitFinder, Instant now) {
        this.task = task;
        this.machineWaitFinder = machineWaitFinder;
        this.now = now;
    }

    /** Returns the status of a machine that belongs to the task, or will. */
    TaskMachineStatus createStatus(TaskMachine machine, @Nullable UpgradeTaskView holder) {
        return withObservedVersion(machine, createActive(machine, holder));
    }

    /** Returns the status of a machine in a task that is being aborted. */
    TaskMachineStatus createAborted(TaskMachine machine) {
        return withObservedVersion(machine, createEnding(machine));
    }

    /** Adds the node's version: a success proves it, and the Machine may show it only later. */
    private TaskMachineStatus withObservedVersion(TaskMachine machine, TaskMachineStatus status) {
        String version = task.spec().version();
        return status.withObservedVersion(
                status.state() == TaskMachineState.SUCCEEDED && version != null
                        ? version
                        : machine.view().kubeletVersion());
    }

    private TaskMachineStatus createActive(TaskMachine machine, @Nullable UpgradeTaskView holder) {
        if (holder != null) {
            return waiting(
                    machine,
                    "HeldByTask",
                    "UpgradeTask " + holder.key().name()
                            + " upgrades this Machine; it comes here when that one has ended");
        }
        TaskMachineStatus before = task.status().machine(machine.name());
        boolean requested = machine.hasIntentOf(task.uid());
        // An annotation may have replaced the intent while an attempt for it runs.
        boolean began = before != null && before.state() == TaskMachineState.IN_PROGRESS;
        UpgradeAttempt attempt = requested ? machine.openAttempt() : began ? machine.withdrawnAttempt() : null;
        if (attempt != null) {
            return inProgress(machine, attempt);
        }
        RolloutEntry entry = requested ? machine.entry() : began ? machine.withdrawnEntry() : null;
        TaskMachineStatus ended = entry == null ? null : ended(machine, entry);
        if (ended != null) {
            return ended;
        }
        if (before != null
                && before.state() == TaskMachineState.SUCCEEDED
                && entry == null
                && task.uid().equals(machine.view().task().uid())) {
            return before;
        }
        if (!requested && machine.annotation() != null) {
            return waiting(
                    machine,
                    "AnnotationFirst",
                    "the Machine has annotation " + machine.annotation() + ", which goes first: remove it to go on");
        }
        if (requested && entry != null && entry.failedAttempts() > 0) {
            AttemptFailure failure = failureOf(machine);
            return waiting(
                    machine,
                    "RetryPending",
                    "attempt " + entry.failedAttempts() + " failed"
                            + (failure == null ? "" : ": " + failure.reason().label() + ": " + failure.text()),
                    findWait(machine));
        }
        return waiting(machine);
    }

    private TaskMachineStatus createEnding(TaskMachine machine) {
        TaskMachineStatus before = task.status().machine(machine.name());
        UpgradeAttempt attempt = machine.hasIntentOf(task.uid()) ? machine.openAttempt() : machine.withdrawnAttempt();
        if (attempt != null) {
            return inProgress(machine, attempt);
        }
        if (before != null && before.state().hasEnded()) {
            return before;
        }
        RolloutEntry entry = machine.hasIntentOf(task.uid()) ? machine.entry() : machine.withdrawnEntry();
        boolean began = before != null && before.state() == TaskMachineState.IN_PROGRESS;
        TaskMachineStatus ended = entry == null || !began ? null : ended(machine, entry);
        return ended == null ? aborted(machine.name(), before) : ended;
    }

    /** Returns the status of a machine in an aborted task that no Machine is left for. */
    TaskMachineStatus aborted(String name, @Nullable TaskMachineStatus before) {
        return sinceOf(new TaskMachineStatus(
                name,
                TaskMachineState.ABORTED,
                "TaskAborted",
                "the task was aborted before this Machine was at the target",
                null,
                null,
                null,
                before == null ? null : before.attempt(),
                null));
    }

    /** Returns the status of a machine that is not started any more because another one failed. */
    TaskMachineStatus skipped(TaskMachine machine, String failed) {
        return sinceOf(new TaskMachineStatus(
                machine.name(),
                TaskMachineState.SKIPPED,
                "MemberFailed",
                "control-plane member " + failed + " failed, so no other member is started",
                null,
                null,
                null,
                null,
                null));
    }

    /** Returns the status of a named machine that does not exist. */
    TaskMachineStatus missing(String name, boolean failed) {
        return sinceOf(new TaskMachineStatus(
                name,
                failed ? TaskMachineState.FAILED : TaskMachineState.WAITING,
                "MachineNotFound",
                "Cluster " + task.spec().clusterName() + " in namespace "
                        + task.key().namespace()
                        + " has no such Machine"
                        + (task.spec().machineUid() == null
                                ? ""
                                : " with uid " + task.spec().machineUid())
                        + (task.spec().owner() == null
                                ? ""
                                : " of " + task.spec().owner())
                        + ": create a task with names of its Machines",
                null,
                null,
                null,
                null,
                null));
    }

    /** Returns the status of a machine that was deleted while the task upgraded it. */
    TaskMachineStatus deleted(TaskMachineStatus before) {
        return before.state().hasEnded()
                ? before
                : sinceOf(new TaskMachineStatus(
                        before.name(),
                        TaskMachineState.SKIPPED,
                        "MachineDeleted",
                        "",
                        null,
                        null,
                        null,
                        before.attempt(),
                        null));
    }

    private TaskMachineStatus inProgress(TaskMachine machine, UpgradeAttempt attempt) {
        return switch (attempt.state()) {
            case AttemptState.Admitted admitted ->
                inProgress(machine, attempt, "Admitted", "a node-worker is about to start it");
            case AttemptState.Running running ->
                inProgress(
                        machine,
                        attempt,
                        stepOf(attempt, running.step()),
                        "attempt " + attempt.id() + " to " + attempt.target().text() + describeCall(machine, attempt));
            case AttemptState.Unknown unknown ->
                inProgress(
                        machine,
                        attempt,
                        "OutcomeUnknown",
                        "the outcome is unknown since " + unknown.since().truncatedTo(ChronoUnit.SECONDS)
                                + (unknown.lastObservation() == null ? "" : ": " + unknown.lastObservation()));
        };
    }

    /** The step of an attempt. Only k8sd refreshes a snap. */
    private static String stepOf(UpgradeAttempt attempt, AttemptStep step) {
        return step == AttemptStep.REFRESHING && attempt.provider() == UpgradeProvider.NODE_UPGRADE
                ? "Upgrading"
                : camelCase(step.label());
    }

    /** Names the NodeUpgrade that shows how far an attempt is; empty if it has none. */
    private static String describeCall(TaskMachine machine, UpgradeAttempt attempt) {
        return attempt.mayHaveCalled() && attempt.provider() == UpgradeProvider.NODE_UPGRADE
                ? ", NodeUpgrade "
                        + NodeUpgradeName.of(
                                machine.view().key(), machine.view().uid(), attempt.target(), attempt.id())
                : "";
    }

    private TaskMachineStatus inProgress(TaskMachine machine, UpgradeAttempt attempt, String reason, String message) {
        return sinceOf(new TaskMachineStatus(
                machine.name(),
                TaskMachineState.IN_PROGRESS,
                reason,
                cut(message),
                null,
                null,
                null,
                attempt.id(),
                null));
    }

    /** Returns the status of a machine that has ended; null if it has not. */
    private @Nullable TaskMachineStatus ended(TaskMachine machine, RolloutEntry entry) {
        AttemptFailure failure = failureOf(machine);
        TaskMachineStatus before = task.status().machine(machine.name());
        Long attempt = before == null ? null : before.attempt();
        return switch (entry.outcome()) {
            case OPEN -> null;
            case SUCCEEDED, UNCHANGED ->
                sinceOf(new TaskMachineStatus(
                        machine.name(),
                        TaskMachineState.SUCCEEDED,
                        entry.outcome() == MachineOutcome.UNCHANGED ? "WasAtTarget" : "AtTarget",
                        "",
                        null,
                        null,
                        null,
                        attempt,
                        null));
            case QUARANTINED ->
                sinceOf(new TaskMachineStatus(
                        machine.name(),
                        TaskMachineState.FAILED,
                        failure == null ? "Failed" : camelCase(failure.reason().label()),
                        cut(failure == null ? "the last attempt failed" : failure.text()),
                        null,
                        null,
                        null,
                        failure == null ? attempt : Long.valueOf(failure.attemptId()),
                        null));
            case SKIPPED ->
                sinceOf(new TaskMachineStatus(
                        machine.name(),
                        TaskMachineState.SKIPPED,
                        "SkippedByOperator",
                        "",
                        null,
                        null,
                        null,
                        attempt,
                        null));
        };
    }

    private static @Nullable AttemptFailure failureOf(TaskMachine machine) {
        return machine.status() == null ? null : machine.status().lastFailure();
    }

    private TaskMachineStatus waiting(TaskMachine machine, String reason, String message) {
        return waiting(machine, reason, message, null);
    }

    private TaskMachineStatus waiting(
            TaskMachine machine, String reason, String message, @Nullable MachineWait machineWait) {
        return sinceOf(new TaskMachineStatus(
                machine.name(),
                TaskMachineState.WAITING,
                reason,
                cut(message),
                machineWait == null ? null : machineWait.gate(),
                machineWait == null ? null : cut(machineWait.needs()),
                null,
                null,
                null));
    }

    private TaskMachineStatus waiting(TaskMachine machine) {
        RolloutRef.CampaignRef failed = machine.failedCampaign();
        if (failed != null && machine.hasIntentOf(task.uid())) {
            AttemptFailure failure = failureOf(machine);
            return waiting(
                    machine,
                    "CampaignFailed",
                    "campaign " + failed.name() + " has failed to upgrade this Machine"
                            + (failure == null ? "" : ": " + failure.reason().label() + ": " + failure.text())
                            + ". `flotilla campaign retry " + failed.name() + "` tries it again",
                    findWait(machine));
        }
        MachineWait machineWait = findWait(machine);
        return machineWait == null
                ? waiting(
                        machine,
                        machine.hasIntentOf(task.uid()) ? "Queued" : "Requested",
                        "`flotilla machine explain " + machine.view().key() + "` shows what it waits for")
                : waiting(machine, machineWait.reason(), "", machineWait);
    }

    /** Returns what a machine waits for; null if nothing is known. */
    @Nullable
    MachineWait findWait(TaskMachine machine) {
        UpgradeTarget target = task.spec().target();
        return target == null
                ? null
                : machineWaitFinder.findWait(
                        machine, target, task.spec().version(), task.spec().upgrader());
    }

    /** Sets since when the machine is in this state: its time stays while state and reason do. */
    private TaskMachineStatus sinceOf(TaskMachineStatus status) {
        TaskMachineStatus before = task.status().machine(status.name());
        Instant since = before != null
                        && before.state() == status.state()
                        && before.reason().equals(status.reason())
                ? before.since()
                : null;
        return status.withSince(since == null ? now.truncatedTo(ChronoUnit.SECONDS) : since);
    }

    private static String cut(String text) {
        return RedactedText.truncate(text, MAX_TEXT);
    }

    /** Returns a label such as {@code refresh-error} as a reason of Kubernetes, such as {@code RefreshError}. */
    private static String camelCase(String label) {
        StringBuilder reason = new StringBuilder();
        for (String word : label.split("-", -1)) {
            if (!word.isEmpty()) {
                reason.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
        }
        return reason.toString();
    }
}
