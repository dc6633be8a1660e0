package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.rows.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.OwnerView;
import dev.flotilla.managementwatcher.view.SiteObjectCache;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a wish waits for that is followed and has not begun, as far as that stays so until a person acts: a pause or a hold on the
 * object or above it, and what the orchestrator says of the whole site. Which slot a machine waits for changes by the second, and
 * is told by {@code flotilla machine explain}.
 */
final class WaitingEventPlanner {
    private final SiteObjectCache view;
    private final ReceivedStatusTable status;
    private final Function<ObjectKey, @Nullable UpgradeIntent> intents;

    WaitingEventPlanner(
            SiteObjectCache view, ReceivedStatusTable status, Function<ObjectKey, @Nullable UpgradeIntent> intents) {
        this.view = view;
        this.status = status;
        this.intents = intents;
    }

    /** What is told of it; null where nothing asks, nothing is known to keep it, or it has begun. */
    @Nullable
    UpgradeEvent planEvent(ObjectView object, @Nullable UpgradeAnnotation upgradeAnnotation) {
        UpgradeIntent intent = intents.apply(object.key());
        if (upgradeAnnotation == null
                || upgradeAnnotation.problem() != null
                || !upgradeAnnotation.isOnObject()
                || intent == null
                || isBegun(object, intent)) {
            return null;
        }
        String gate = status.siteWaitReason();
        String why = gate == null ? held(object) : gate;
        return why == null ? null : UpgradeEvent.waiting(upgradeAnnotation.value(), why);
    }

    /** Whether there is something else to show of it: that it is at work, or how it has ended. */
    private boolean isBegun(ObjectView object, UpgradeIntent intent) {
        if (!(object instanceof MachineView machine)) {
            IntentStatus told = status.objectStatus(object.key());
            return OwnerAnnotationPlanner.isAboutIntent(told, object, intent)
                    && told != null
                    && (told.state() != IntentStatus.IntentState.IN_PROGRESS || told.currentMachine() != null);
        }
        ReceivedMachineStatus receivedMachineStatus = status.machineStatus(machine.key());
        if (receivedMachineStatus == null || !receivedMachineStatus.row().uid().equals(machine.uid())) {
            return false;
        }
        RolloutRef asked = new RolloutRef.IntentRef(intent.object(), intent.since());
        return receivedMachineStatus.row().attempt() != null
                || receivedMachineStatus.row().entries().stream()
                        .anyMatch(entry -> entry.rolloutRef().equals(asked) && hasTried(entry));
    }

    private static boolean hasTried(RolloutEntry entry) {
        return entry.outcome() != MachineOutcome.OPEN || entry.failedAttempts() > 0;
    }

    /** Of what is held or paused, the nearest. */
    private @Nullable String held(ObjectView object) {
        return switch (object) {
            case ClusterView cluster -> said("Cluster " + cluster.key().name(), cluster.hold(), cluster.paused());
            case OwnerView owner -> held(owner);
            case MachineView machine -> {
                String own = said("Machine " + machine.key().name(), machine.hold(), machine.paused());
                OwnerView owner = view.ownerOf(machine);
                yield own != null ? own : owner == null ? above(machine, machine.cluster()) : held(owner);
            }
        };
    }

    private @Nullable String held(OwnerView owner) {
        String own = said(owner.key().kind().label() + " " + owner.key().name(), owner.hold(), owner.paused());
        return own == null ? above(owner, owner.cluster()) : own;
    }

    private @Nullable String above(ObjectView object, String cluster) {
        return !cluster.isEmpty()
                        && view.get(new ClusterKey(
                                        object.key().site(), object.key().namespace(), cluster))
                                instanceof ClusterView there
                ? held(there)
                : null;
    }

    private static @Nullable String said(String what, boolean hold, boolean paused) {
        return hold
                ? "machine: " + what + " bears " + WatcherAnnotationKeys.HOLD
                : paused ? "machine: " + what + " is paused" : null;
    }
}
