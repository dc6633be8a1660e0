package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.rows.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatchedKind;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
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
 * What has to be written about an object, from all that is known by now: its annotations first, then its condition, then what is
 * only to be told.
 */
final class ObjectWritePlanner {
    private final SiteObjectCache view;
    private final ReceivedStatusTable status;
    private final SiteMode mode;
    private final Function<ObjectKey, @Nullable UpgradeIntent> intents;
    private final Function<ObjectKey, @Nullable String> unreadable;
    private final Predicate<WatchedKind> hasConditions;
    private final JoinerReleaseConfigMaps joiners;
    private final WaitingEventPlanner waiting;

    /**
     * For one site.
     *
     * @param intents the rows that people's wishes came to
     * @param unreadable why nobody can read an object's row; null where that is not so
     * @param hasConditions of which kinds one condition can be written without the others
     */
    ObjectWritePlanner(
            SiteObjectCache view,
            ReceivedStatusTable status,
            SiteMode mode,
            Function<ObjectKey, @Nullable UpgradeIntent> intents,
            Function<ObjectKey, @Nullable String> unreadable,
            Predicate<WatchedKind> hasConditions) {
        this.view = view;
        this.status = status;
        this.mode = mode;
        this.intents = intents;
        this.unreadable = unreadable;
        this.hasConditions = hasConditions;
        this.joiners = new JoinerReleaseConfigMaps(mode);
        this.waiting = new WaitingEventPlanner(view, status, intents);
    }

    /** The next write about an object; null for none. */
    @Nullable
    ObjectWrite nextWrite(ObjectKey key) {
        ObjectView there = view.get(key);
        if (there == null) {
            return key instanceof OwnerKey gone ? joiners.planWrite(gone, null) : null;
        }
        if (there instanceof OwnerView owner && !owner.topLevel()) {
            return null;
        }
        AnnotationWrite annotationWrite = amendment(there);
        if (annotationWrite != null) {
            return annotationWrite;
        }
        if (key instanceof MachineKey machine) {
            status.markShown(machine);
        }
        UpgradeAnnotation upgradeAnnotation = wish(there);
        ObjectWrite condition =
                hasConditions.test(WatchedKind.kindOf(key)) ? condition(there, upgradeAnnotation) : null;
        if (condition != null) {
            return condition;
        }
        ObjectWrite joining = there instanceof OwnerView owner ? joiners.planWrite(owner.key(), owner) : null;
        return joining == null ? notice(there, upgradeAnnotation) : joining;
    }

    private @Nullable AnnotationWrite amendment(ObjectView there) {
        if (there instanceof MachineView machine) {
            return machine(machine);
        }
        return there instanceof OwnerView owner && isToTakeOver(owner)
                ? AnnotationTakeoverPlanner.planTakeover(owner)
                : object(there);
    }

    /** A policy that came later keeps the provider from going on with an owner, but not from marking its machines. */
    private boolean isToTakeOver(OwnerView owner) {
        return mode == SiteMode.INTERCEPT
                && owner.annotations().upgradeTo() != null
                && owner.key().kind() != OwnerKind.MACHINE_POOL;
    }

    /** What joiners are made with was written, or may not be. */
    void recordWrite(ObjectWrite.JoinerReleaseWrite change) {
        joiners.recordWrite(change);
    }

    private @Nullable UpgradeAnnotation wish(ObjectView there) {
        UpgradeAnnotation upgradeAnnotation = UpgradeAnnotation.readFrom(
                there, there instanceof MachineView machine ? view.ownerOf(machine) : null, mode);
        List<String> paths = status.localPaths();
        return upgradeAnnotation == null || paths == null ? upgradeAnnotation : upgradeAnnotation.checkLocalPath(paths);
    }

    /** A machine at which others are is left to them. */
    private @Nullable AnnotationWrite machine(MachineView machine) {
        boolean theirs = machine.annotations().isChangeForeign()
                || (mode != SiteMode.DIRECT && machine.annotations().upgradeTo() != null);
        if (theirs) {
            return null;
        }
        AnnotationWrite annotationWrite = MachineAnnotationPlanner.planAnnotations(
                machine, status.machineStatus(machine.key()), wish(machine), intents.apply(machine.key()));
        return annotationWrite != null
                        && annotationWrite.event() != null
                        && annotationWrite.event().onOwner()
                        && view.ownerOf(machine) != null
                ? annotationWrite.withoutEvent()
                : annotationWrite;
    }

    /** The owner that has to be written to before a machine's amendment is: see {@link JoinerReleaseAnnotations}. Null for none. */
    @Nullable
    OwnerView ownerToWriteFirst(AnnotationWrite annotationWrite) {
        OwnerView owner = annotationWrite.object() instanceof MachineKey key ? ownerOf(key) : null;
        String release = owner == null ? null : owner.annotations().release();
        return release == null
                        || !annotationWrite.annotations().containsKey(WatcherAnnotationKeys.RELEASE)
                        || release.equals(annotationWrite.annotations().get(WatcherAnnotationKeys.RELEASE))
                ? null
                : owner;
    }

    /** What owns a machine; null where nothing does. */
    @Nullable
    OwnerView ownerOf(MachineKey key) {
        MachineView machine = view.machine(key);
        return machine == null ? null : view.ownerOf(machine);
    }

    private @Nullable AnnotationWrite object(ObjectView there) {
        IntentStatus told = status.objectStatus(there.key());
        UpgradeIntent intent = intents.apply(there.key());
        boolean theirs = !(there instanceof ClusterView)
                && (mode == SiteMode.CLUSTER_ONLY
                        || (mode == SiteMode.INTERCEPT && there.annotations().upgradeTo() != null));
        OwnerAnnotationPlanner.OwnedMachinesStatus ownedMachinesStatus = there instanceof OwnerView owner
                ? owned(owner, OwnerAnnotationPlanner.isAboutIntent(told, there, intent) ? told : null)
                : null;
        return OwnerAnnotationPlanner.planAnnotations(there, told, wish(there), intent, ownedMachinesStatus, theirs);
    }

    private OwnerAnnotationPlanner.OwnedMachinesStatus owned(OwnerView owner, @Nullable IntentStatus about) {
        List<JoinerReleaseAnnotations.OwnedMachine> members = new ArrayList<>();
        String target = about == null ? null : about.target().text();
        String failed = null;
        boolean behind = false;
        for (MachineView machine : view.machinesOf(owner.key())) {
            JoinerReleaseAnnotations.OwnedMachine ownedMachine = member(machine);
            members.add(ownedMachine);
            behind |= target != null
                    && target.equals(ownedMachine.nextRelease())
                    && !target.equals(ownedMachine.currentRelease());
            failed = failed == null && isFailed(machine) ? machine.key().name() : failed;
        }
        boolean begun = about != null && about.state() == IntentStatus.IntentState.IN_PROGRESS;
        Set<String> targets = begun && target != null ? Set.of(target) : Set.of();
        JoinerReleaseAnnotations release =
                JoinerReleaseAnnotations.planRelease(owner.annotations(), members, targets, mode);
        return new OwnerAnnotationPlanner.OwnedMachinesStatus(release, behind, failed);
    }

    private JoinerReleaseAnnotations.OwnedMachine member(MachineView machine) {
        String bears = machine.annotations().release();
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        if (receivedMachineStatus == null) {
            return new JoinerReleaseAnnotations.OwnedMachine(bears, bears, null);
        }
        AnnotationWrite annotationWrite = machine(machine);
        String toBear =
                annotationWrite != null && annotationWrite.annotations().containsKey(WatcherAnnotationKeys.RELEASE)
                        ? annotationWrite.annotations().get(WatcherAnnotationKeys.RELEASE)
                        : bears;
        UpgradeAttempt attempt = receivedMachineStatus.row().uid().equals(machine.uid())
                ? receivedMachineStatus.row().attempt()
                : null;
        return new JoinerReleaseAnnotations.OwnedMachine(
                bears, toBear, attempt == null ? null : attempt.target().text());
    }

    private boolean isFailed(MachineView machine) {
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        return receivedMachineStatus != null
                && receivedMachineStatus.row().entries().stream()
                        .anyMatch(entry -> entry.outcome() == MachineOutcome.QUARANTINED);
    }

    private @Nullable ObjectWrite condition(ObjectView there, @Nullable UpgradeAnnotation upgradeAnnotation) {
        UpgradeEvent unknown = unknown(there);
        if (unknown != null) {
            return ConditionPlanner.planUnknown(there, unknown);
        }
        UpgradeEvent waits = waiting.planEvent(there, upgradeAnnotation);
        if (waits != null) {
            return ConditionPlanner.planWaiting(there, waits);
        }
        return ConditionPlanner.planCondition(
                there,
                upgradeAnnotation != null,
                upgradeAnnotation == null ? "" : upgradeAnnotation.value(),
                why(there, upgradeAnnotation));
    }

    private @Nullable String why(ObjectView there, @Nullable UpgradeAnnotation upgradeAnnotation) {
        String problem = upgradeAnnotation == null ? null : upgradeAnnotation.problem();
        if (problem != null) {
            return "the option " + problem;
        }
        if (there instanceof MachineView machine) {
            ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
            AttemptFailure failure = receivedMachineStatus == null
                    ? null
                    : receivedMachineStatus.row().lastFailure();
            return failure == null ? null : failure.reason().label() + ": " + failure.text();
        }
        IntentStatus told = status.objectStatus(there.key());
        return told == null ? null : OwnerAnnotationPlanner.failures(told);
    }

    /** What there is to tell of a machine whose outcome nobody knows; null where that is not so. */
    private @Nullable UpgradeEvent unknown(ObjectView there) {
        ReceivedMachineStatus receivedMachineStatus =
                there instanceof MachineView machine ? status.machineStatus(machine.key()) : null;
        UpgradeAttempt open = receivedMachineStatus == null
                        || !receivedMachineStatus.row().uid().equals(there.uid())
                ? null
                : receivedMachineStatus.row().attempt();
        return open != null && open.state() instanceof AttemptState.Unknown since
                ? UpgradeEvent.unknown(open.target().text(), since.since(), since.lastObservation())
                : null;
    }

    /** Nobody removes a change-id that was left behind: where a controller is at a machine, its wish is there too. */
    private boolean isLeftBehind(MachineView machine) {
        return machine.annotations().isChangeForeign()
                && (mode == SiteMode.DIRECT || machine.annotations().upgradeTo() == null);
    }

    private ObjectWrite.@Nullable EventWrite notice(ObjectView there, @Nullable UpgradeAnnotation upgradeAnnotation) {
        String problem = unreadable.apply(there.key());
        if (problem != null) {
            return new ObjectWrite.EventWrite(there.key(), there.uid(), UpgradeEvent.unreadable(problem));
        }
        UpgradeEvent unknown = unknown(there);
        if (unknown != null) {
            return new ObjectWrite.EventWrite(there.key(), there.uid(), unknown);
        }
        UpgradeEvent waits = waiting.planEvent(there, upgradeAnnotation);
        if (waits != null) {
            return new ObjectWrite.EventWrite(there.key(), there.uid(), waits);
        }
        String changeId = there.annotations().changeId();
        if (changeId != null && there instanceof MachineView machine && isLeftBehind(machine)) {
            return new ObjectWrite.EventWrite(there.key(), there.uid(), UpgradeEvent.foreign(machine.key(), changeId));
        }
        String who = there.annotations().reappliedBy();
        if (upgradeAnnotation != null && upgradeAnnotation.isOnObject() && who != null) {
            return new ObjectWrite.EventWrite(
                    there.key(), there.uid(), UpgradeEvent.reapplied(upgradeAnnotation.value(), who));
        }
        OwnerView owner = there instanceof MachineView machine ? view.ownerOf(machine) : null;
        String standing = owner == null ? null : owner.annotations().defaultRelease();
        return standing != null
                        && there instanceof MachineView machine
                        && machine.node() == null
                        && !standing.equals(machine.annotations().release())
                ? new ObjectWrite.EventWrite(there.key(), there.uid(), UpgradeEvent.joining(standing))
                : null;
    }
}
