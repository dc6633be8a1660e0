package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.task.MachineTaskGoal;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.SiteMode;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans the next write to an object from all that is known: first its annotations, then its condition, then Events that
 * go with no other write.
 */
final class ObjectWritePlanner {
    private final SiteObjectCache cache;
    private final ReceivedStatusTable status;
    private final SiteMode mode;
    private final PublishedObjectRows publishedRows;
    private final Predicate<WatchedKind> canWriteCondition;
    private final Function<MachineKey, @Nullable MachineTaskGoal> taskGoals;
    private final JoinerReleaseConfigMaps joinerReleaseConfigMaps;
    private final WaitingEventPlanner waitingEventPlanner;
    private final AnnotationProviderChecker annotationProviderChecker;

    /**
     * @param canWriteCondition for which kinds one condition can be written without the others
     * @param taskGoals what a Machine is to show of UpgradeTasks; null for what it shows
     */
    ObjectWritePlanner(
            SiteObjectCache cache,
            ReceivedStatusTable status,
            SiteMode mode,
            PublishedObjectRows publishedRows,
            Predicate<WatchedKind> canWriteCondition,
            Function<MachineKey, @Nullable MachineTaskGoal> taskGoals) {
        this.cache = cache;
        this.status = status;
        this.mode = mode;
        this.publishedRows = publishedRows;
        this.canWriteCondition = canWriteCondition;
        this.taskGoals = taskGoals;
        this.joinerReleaseConfigMaps = new JoinerReleaseConfigMaps(mode);
        this.waitingEventPlanner = new WaitingEventPlanner(cache, status, publishedRows);
        this.annotationProviderChecker = new AnnotationProviderChecker(cache, status, mode);
    }

    /** Returns the next write to an object; null for none. */
    @Nullable
    ObjectWrite nextWrite(ObjectKey key) {
        ObjectView present = cache.get(key);
        if (present == null) {
            return key instanceof OwnerKey deleted ? joinerReleaseConfigMaps.planWrite(deleted, null) : null;
        }
        if (present instanceof OwnerView owner && !owner.topLevel()) {
            return null;
        }
        AnnotationWrite annotationWrite = planAnnotations(present);
        if (annotationWrite != null) {
            return annotationWrite;
        }
        if (key instanceof MachineKey machine) {
            status.markShown(machine);
        }
        boolean conditionWritable = canWriteCondition.test(WatchedKind.kindOf(key));
        ObjectWrite taskWrite =
                present instanceof MachineView machine ? planTaskWrite(machine, conditionWritable) : null;
        if (taskWrite != null) {
            return taskWrite;
        }
        UpgradeAnnotation upgradeAnnotation = annotationProviderChecker.readAnnotation(present);
        ObjectWrite condition = conditionWritable ? planCondition(present, upgradeAnnotation) : null;
        if (condition != null) {
            return condition;
        }
        ObjectWrite joining =
                present instanceof OwnerView owner ? joinerReleaseConfigMaps.planWrite(owner.key(), owner) : null;
        return joining == null ? planEvent(present, upgradeAnnotation) : joining;
    }

    private @Nullable ObjectWrite planTaskWrite(MachineView machine, boolean conditionWritable) {
        MachineTaskGoal goal = taskGoals.apply(machine.key());
        return goal != null || !conditionWritable
                ? MachineTaskWritePlanner.planWrite(machine, goal, conditionWritable)
                : FailedUpgradeConditionPlanner.planWrite(machine, status.machineStatus(machine.key()));
    }

    private @Nullable AnnotationWrite planAnnotations(ObjectView present) {
        if (present instanceof MachineView machine) {
            return planMachineAnnotations(machine);
        }
        return present instanceof OwnerView owner && mustTakeOver(owner)
                ? AnnotationTakeoverPlanner.planTakeover(owner)
                : planOwnerAnnotations(present);
    }

    /**
     * Whether the owner's annotation must move to Flotilla's key: the policy keeps the provider's controllers from
     * upgrading the owner's machines, but not from marking them.
     */
    private boolean mustTakeOver(OwnerView owner) {
        return mode == SiteMode.INTERCEPT
                && owner.annotations().upgradeTo() != null
                && owner.key().kind() != OwnerKind.MACHINE_POOL;
    }

    /** Records a write of a default release, and returns the owners that must be planned because of its response. */
    Set<OwnerKey> recordWrite(ObjectWrite.JoinerReleaseWrite write, @Nullable KubeObject configMap) {
        return joinerReleaseConfigMaps.recordWrite(write, configMap);
    }

    /** Plans a machine's annotations; none while another controller upgrades it. */
    private @Nullable AnnotationWrite planMachineAnnotations(MachineView machine) {
        boolean foreign = machine.annotations().isChangeForeign()
                || (mode != SiteMode.DIRECT && machine.annotations().upgradeTo() != null);
        if (foreign) {
            return null;
        }
        AnnotationWrite annotationWrite = MachineAnnotationPlanner.planAnnotations(
                machine,
                status.machineStatus(machine.key()),
                annotationProviderChecker.readAnnotation(machine),
                publishedRows.intent(machine.key()));
        return annotationWrite != null
                        && annotationWrite.event() != null
                        && annotationWrite.event().onOwner()
                        && cache.ownerOf(machine) != null
                ? annotationWrite.withoutEvent()
                : annotationWrite;
    }

    /**
     * Returns the owner that must be written before this write to its machine: see {@link JoinerReleaseAnnotations}.
     * Null for none.
     */
    @Nullable
    OwnerView ownerToWriteFirst(AnnotationWrite annotationWrite) {
        OwnerView owner = annotationWrite.object() instanceof MachineKey key ? ownerOf(key) : null;
        String release = owner == null ? null : owner.annotations().release();
        return release == null
                        || !annotationWrite.annotations().containsKey(AnnotationKeys.RELEASE)
                        || release.equals(annotationWrite.annotations().get(AnnotationKeys.RELEASE))
                ? null
                : owner;
    }

    /** Returns the owner of a machine; null for none. */
    @Nullable
    OwnerView ownerOf(MachineKey key) {
        MachineView machine = cache.machine(key);
        return machine == null ? null : cache.ownerOf(machine);
    }

    private @Nullable AnnotationWrite planOwnerAnnotations(ObjectView present) {
        IntentStatus intentStatus = status.objectStatus(present.key());
        UpgradeIntent intent = publishedRows.intent(present.key());
        boolean foreign = !(present instanceof ClusterView)
                && (mode == SiteMode.CLUSTER_ONLY
                        || (mode == SiteMode.INTERCEPT && present.annotations().upgradeTo() != null));
        OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus = present instanceof OwnerView owner
                ? readOwnedMachines(
                        owner,
                        OwnerAnnotationPlanner.isAboutIntent(intentStatus, present, intent) ? intentStatus : null)
                : null;
        return OwnerAnnotationPlanner.planAnnotations(
                present,
                intentStatus,
                annotationProviderChecker.readAnnotation(present),
                intent,
                ownedMachinesStatus,
                foreign);
    }

    private OwnerAnnotationPlanner.OwnedMachinesStatus readOwnedMachines(
            OwnerView owner, @Nullable IntentStatus intentStatus) {
        List<JoinerReleaseAnnotations.OwnedMachine> machines = new ArrayList<>();
        String target = intentStatus == null ? null : intentStatus.target().text();
        String failedMachine = null;
        boolean anyBehind = false;
        for (MachineView machine : cache.machinesOf(owner.key())) {
            JoinerReleaseAnnotations.OwnedMachine ownedMachine = toOwnedMachine(machine);
            machines.add(ownedMachine);
            anyBehind |= target != null
                    && target.equals(ownedMachine.nextRelease())
                    && !target.equals(ownedMachine.currentRelease());
            failedMachine =
                    failedMachine == null && isFailed(machine) ? machine.key().name() : failedMachine;
        }
        boolean begun = intentStatus != null && intentStatus.state() == IntentStatus.IntentState.IN_PROGRESS;
        Set<String> targets = begun && target != null ? Set.of(target) : Set.of();
        JoinerReleaseAnnotations release =
                JoinerReleaseAnnotations.planRelease(owner.annotations(), machines, targets, mode);
        return new OwnerAnnotationPlanner.OwnedMachinesStatus(release, anyBehind, failedMachine);
    }

    private JoinerReleaseAnnotations.OwnedMachine toOwnedMachine(MachineView machine) {
        String currentRelease = machine.annotations().release();
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        if (receivedMachineStatus == null) {
            return new JoinerReleaseAnnotations.OwnedMachine(currentRelease, currentRelease, null);
        }
        AnnotationWrite annotationWrite = planMachineAnnotations(machine);
        String nextRelease =
                annotationWrite != null && annotationWrite.annotations().containsKey(AnnotationKeys.RELEASE)
                        ? annotationWrite.annotations().get(AnnotationKeys.RELEASE)
                        : currentRelease;
        return new JoinerReleaseAnnotations.OwnedMachine(currentRelease, nextRelease, findRunningTarget(machine));
    }

    /** Returns the open attempt of a machine; null for none, and for other objects. */
    private @Nullable UpgradeAttempt findOpenAttempt(ObjectView present) {
        ReceivedMachineStatus receivedMachineStatus =
                present instanceof MachineView machine ? status.machineStatus(machine.key()) : null;
        return receivedMachineStatus != null
                        && receivedMachineStatus.row().uid().equals(present.uid())
                ? receivedMachineStatus.row().attempt()
                : null;
    }

    private @Nullable String findRunningTarget(ObjectView present) {
        UpgradeAttempt attempt = findOpenAttempt(present);
        return attempt == null ? null : attempt.target().text();
    }

    private boolean isFailed(MachineView machine) {
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        return receivedMachineStatus != null
                && receivedMachineStatus.row().entries().stream()
                        .anyMatch(entry -> entry.outcome() == MachineOutcome.QUARANTINED);
    }

    private @Nullable ObjectWrite planCondition(ObjectView present, @Nullable UpgradeAnnotation upgradeAnnotation) {
        UpgradeEvent unknownEvent = findUnknownEvent(present);
        if (unknownEvent != null) {
            return ConditionPlanner.planUnknown(present, unknownEvent);
        }
        UpgradeEvent waitingEvent = waitingEventPlanner.planEvent(present, upgradeAnnotation);
        if (waitingEvent != null) {
            return ConditionPlanner.planWaiting(present, waitingEvent);
        }
        return ConditionPlanner.planCondition(
                present,
                upgradeAnnotation != null,
                upgradeAnnotation == null ? "" : upgradeAnnotation.value(),
                findRunningTarget(present),
                findFailureReason(present, upgradeAnnotation));
    }

    private @Nullable String findFailureReason(ObjectView present, @Nullable UpgradeAnnotation upgradeAnnotation) {
        String problem = upgradeAnnotation == null ? null : upgradeAnnotation.problem();
        if (problem != null) {
            return "the annotation " + problem;
        }
        if (present instanceof MachineView machine) {
            ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
            AttemptFailure failure = receivedMachineStatus == null
                    ? null
                    : receivedMachineStatus.row().lastFailure();
            return failure == null ? null : failure.reason().label() + ": " + failure.text();
        }
        IntentStatus intentStatus = status.objectStatus(present.key());
        return intentStatus == null ? null : OwnerAnnotationPlanner.describeFailures(intentStatus);
    }

    /** Returns the Event of a machine whose outcome is unknown; null for any other. */
    private @Nullable UpgradeEvent findUnknownEvent(ObjectView present) {
        UpgradeAttempt open = findOpenAttempt(present);
        return open != null && open.state() instanceof AttemptState.Unknown since
                ? UpgradeEvent.unknown(open.target().text(), since.since(), since.lastObservation())
                : null;
    }

    /**
     * Whether no controller will remove a foreign change-id: a controller that upgrades a machine also has its
     * annotation there.
     */
    private boolean isLeftBehind(MachineView machine) {
        return machine.annotations().isChangeForeign()
                && (mode == SiteMode.DIRECT || machine.annotations().upgradeTo() == null);
    }

    private ObjectWrite.@Nullable EventWrite planEvent(
            ObjectView present, @Nullable UpgradeAnnotation upgradeAnnotation) {
        String problem = publishedRows.unreadableReason(present.key());
        if (problem != null) {
            return new ObjectWrite.EventWrite(present.key(), present.uid(), UpgradeEvent.unreadable(problem));
        }
        UpgradeEvent unknownEvent = findUnknownEvent(present);
        if (unknownEvent != null) {
            return new ObjectWrite.EventWrite(present.key(), present.uid(), unknownEvent);
        }
        UpgradeEvent waitingEvent = waitingEventPlanner.planEvent(present, upgradeAnnotation);
        if (waitingEvent != null) {
            return new ObjectWrite.EventWrite(present.key(), present.uid(), waitingEvent);
        }
        String changeId = present.annotations().changeId();
        if (changeId != null && present instanceof MachineView machine && isLeftBehind(machine)) {
            return new ObjectWrite.EventWrite(
                    present.key(), present.uid(), UpgradeEvent.foreign(machine.key(), changeId));
        }
        String reapplier = present.annotations().reappliedBy();
        if (upgradeAnnotation != null && upgradeAnnotation.isOnObject() && reapplier != null) {
            return new ObjectWrite.EventWrite(
                    present.key(), present.uid(), UpgradeEvent.reapplied(upgradeAnnotation.value(), reapplier));
        }
        OwnerView owner = present instanceof MachineView machine ? cache.ownerOf(machine) : null;
        String defaultRelease = owner == null ? null : owner.annotations().defaultRelease();
        return defaultRelease != null
                        && present instanceof MachineView machine
                        && machine.node() == null
                        && !defaultRelease.equals(machine.annotations().release())
                ? new ObjectWrite.EventWrite(present.key(), present.uid(), UpgradeEvent.joining(defaultRelease))
                : null;
    }
}
