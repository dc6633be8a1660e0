package dev.flotilla.managementwatcher.report;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/**
 * Plans the Event of an intent that waits until a person acts: for a pause or hold on the object or above it, or for
 * what the orchestrator says about the whole site. Which slot a machine waits for changes every second; {@code flotilla
 * machine explain} shows that.
 */
final class WaitingEventPlanner {
    private final SiteObjectCache cache;
    private final ReceivedStatusTable status;
    private final PublishedObjectRows publishedRows;

    WaitingEventPlanner(SiteObjectCache cache, ReceivedStatusTable status, PublishedObjectRows publishedRows) {
        this.cache = cache;
        this.status = status;
        this.publishedRows = publishedRows;
    }

    /** Plans the Event; null if nothing is requested, no cause is known, or the upgrade has begun. */
    @Nullable
    UpgradeEvent planEvent(ObjectView object, @Nullable UpgradeAnnotation upgradeAnnotation) {
        UpgradeIntent intent = publishedRows.intent(object.key());
        if (upgradeAnnotation == null
                || upgradeAnnotation.problem() != null
                || !upgradeAnnotation.isOnObject()
                || intent == null
                || isBegun(object, intent)) {
            return null;
        }
        String siteReason = status.siteWaitReason();
        String reason = siteReason == null ? findHold(object) : siteReason;
        return reason == null ? null : UpgradeEvent.waiting(upgradeAnnotation.value(), reason);
    }

    /** Whether there is a later state to show: in progress, or ended. */
    private boolean isBegun(ObjectView object, UpgradeIntent intent) {
        if (!(object instanceof MachineView machine)) {
            IntentStatus intentStatus = status.objectStatus(object.key());
            return OwnerAnnotationPlanner.isAboutIntent(intentStatus, object, intent)
                    && intentStatus != null
                    && (intentStatus.state() != IntentStatus.IntentState.IN_PROGRESS
                            || intentStatus.currentMachine() != null);
        }
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        if (receivedMachineStatus == null || !receivedMachineStatus.row().uid().equals(machine.uid())) {
            return false;
        }
        RolloutRef intentRef = new RolloutRef.IntentRef(intent.object(), intent.requestedAt());
        return receivedMachineStatus.row().attempt() != null
                || receivedMachineStatus.row().entries().stream()
                        .anyMatch(entry -> entry.rolloutRef().equals(intentRef) && hasTried(entry));
    }

    private static boolean hasTried(RolloutEntry entry) {
        return entry.outcome() != MachineOutcome.OPEN || entry.failedAttempts() > 0;
    }

    /** Returns the nearest object that is on hold or paused, as text; null for none. */
    @Nullable
    String findHold(ObjectView object) {
        return switch (object) {
            case ClusterView cluster ->
                describeHold(
                        GateLabel.CLUSTER_HEALTH, "Cluster " + cluster.key().name(), cluster.hold(), cluster.paused());
            case OwnerView owner -> findHold(owner);
            case MachineView machine -> {
                String ownReason = describeHold(
                        GateLabel.MACHINE_NOT_ELIGIBLE,
                        "Machine " + machine.key().name(),
                        machine.hold(),
                        machine.paused());
                OwnerView owner = cache.ownerOf(machine);
                yield ownReason != null
                        ? ownReason
                        : owner == null ? findHoldOfCluster(machine, machine.cluster()) : findHold(owner);
            }
        };
    }

    private @Nullable String findHold(OwnerView owner) {
        String ownReason = describeHold(
                GateLabel.MACHINE_NOT_ELIGIBLE,
                owner.key().kind().label() + " " + owner.key().name(),
                owner.hold(),
                owner.paused());
        return ownReason == null ? findHoldOfCluster(owner, owner.cluster()) : ownReason;
    }

    private @Nullable String findHoldOfCluster(ObjectView object, String cluster) {
        return !cluster.isEmpty()
                        && cache.get(new ClusterKey(
                                        object.key().site(), object.key().namespace(), cluster))
                                instanceof ClusterView clusterView
                ? findHold(clusterView)
                : null;
    }

    private static @Nullable String describeHold(GateLabel gate, String what, boolean hold, boolean paused) {
        return hold
                ? gate.label() + ": " + what + " is on hold (annotation " + AnnotationKeys.HOLD + ")"
                : paused ? gate.label() + ": " + what + " is paused" : null;
    }
}
