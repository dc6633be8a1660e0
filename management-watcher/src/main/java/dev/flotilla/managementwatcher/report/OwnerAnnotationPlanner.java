package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/**
 * Plans the annotations that show on an owner or a Cluster how its intent proceeds, and on an owner which release its
 * machines have.
 */
final class OwnerAnnotationPlanner {
    private final ObjectView object;
    private final ObjectAnnotations objectAnnotations;
    private final @Nullable UpgradeAnnotation upgradeAnnotation;
    private final @Nullable OwnedMachinesStatus ownedMachinesStatus;
    private final boolean othersWrite;
    private final AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder();
    private long readVersion;

    private OwnerAnnotationPlanner(
            ObjectView object,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable OwnedMachinesStatus ownedMachinesStatus,
            boolean othersWrite) {
        this.object = object;
        this.objectAnnotations = object.annotations();
        this.upgradeAnnotation = upgradeAnnotation;
        this.ownedMachinesStatus = ownedMachinesStatus;
        this.othersWrite = othersWrite;
    }

    /**
     * What an owner's annotations depend on of its machines.
     *
     * @param release release annotations that the owner must have for them
     * @param anyBehind whether a machine at the owner's target does not have the release annotation yet
     * @param failedMachine one that failed; null for none
     */
    record OwnedMachinesStatus(
            JoinerReleaseAnnotations release,
            boolean anyBehind,
            @Nullable String failedMachine) {}

    /**
     * Plans the next write; null for none.
     *
     * @param status received status of the intent; null for none
     * @param upgradeAnnotation upgrade annotation of the object; null for none
     * @param intent intent row for that annotation; null for none
     * @param ownedMachinesStatus status of its machines; null for a Cluster
     * @param othersWrite whether a status annotation that no intent explains is another controller's
     */
    static @Nullable AnnotationWrite planAnnotations(
            ObjectView object,
            @Nullable IntentStatus status,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent intent,
            @Nullable OwnedMachinesStatus ownedMachinesStatus,
            boolean othersWrite) {
        OwnerAnnotationPlanner planner =
                new OwnerAnnotationPlanner(object, upgradeAnnotation, ownedMachinesStatus, othersWrite);
        boolean aboutIntent = isAboutIntent(status, object, intent);
        UpgradeEvent upgradeEvent = planner.planAll(aboutIntent ? status : null);
        return planner.annotationWriteBuilder.isEmpty()
                ? null
                : new AnnotationWrite(
                        object.key(),
                        object.uid(),
                        planner.readVersion,
                        planner.annotationWriteBuilder.annotations(),
                        upgradeEvent);
    }

    /** Whether the status is about this intent. */
    static boolean isAboutIntent(@Nullable IntentStatus status, ObjectView object, @Nullable UpgradeIntent intent) {
        return status != null
                && intent != null
                && status.uid().equals(object.uid())
                && status.requestedAt().equals(intent.requestedAt());
    }

    private @Nullable UpgradeEvent planAll(@Nullable IntentStatus status) {
        if (ownedMachinesStatus != null) {
            annotationWriteBuilder
                    .setAnnotation(
                            AnnotationKeys.RELEASE,
                            ownedMachinesStatus.release().release(),
                            objectAnnotations.release())
                    .setAnnotation(
                            AnnotationKeys.DEFAULT_RELEASE,
                            ownedMachinesStatus.release().defaultRelease(),
                            objectAnnotations.defaultRelease());
        }
        String problem = upgradeAnnotation == null ? null : upgradeAnnotation.problem();
        if (upgradeAnnotation != null && problem != null) {
            return planStatus(IntentStatus.IntentState.FAILED)
                    ? null
                    : UpgradeEvent.failed(upgradeAnnotation.value(), "the annotation " + problem);
        }
        if (status != null) {
            return planFromIntentStatus(status);
        }
        if (upgradeAnnotation == null
                && !othersWrite
                && IntentStatus.IntentState.IN_PROGRESS.label().equals(objectAnnotations.status())) {
            // The request was withdrawn.
            annotationWriteBuilder.setAnnotation(AnnotationKeys.STATUS, null, objectAnnotations.status());
        }
        return null;
    }

    /** Plans the status annotation and returns whether the object shows it already. */
    private boolean planStatus(IntentStatus.IntentState state) {
        annotationWriteBuilder.setAnnotation(AnnotationKeys.STATUS, state.label(), objectAnnotations.status());
        return state.label().equals(objectAnnotations.status());
    }

    private @Nullable UpgradeEvent planFromIntentStatus(IntentStatus status) {
        return switch (status.state()) {
            case IN_PROGRESS -> planInProgress(status);
            case FAILED -> planStatus(IntentStatus.IntentState.FAILED) ? null : createFailedEvent(status);
            case DONE ->
                ownedMachinesStatus != null && ownedMachinesStatus.anyBehind()
                        ? null
                        : planDone(status.target().text());
        };
    }

    private @Nullable UpgradeEvent planInProgress(IntentStatus status) {
        annotationWriteBuilder.setAnnotation(AnnotationKeys.LAST_FULFILLED, null, objectAnnotations.fulfilled());
        if (ownedMachinesStatus == null) {
            annotationWriteBuilder.setAnnotation(AnnotationKeys.RELEASE, null, objectAnnotations.release());
        }
        if (planStatus(IntentStatus.IntentState.IN_PROGRESS)) {
            return null;
        }
        MachineKey machine = status.currentMachine();
        return ownedMachinesStatus == null || machine == null
                ? UpgradeEvent.inProgress(status.target().text())
                : UpgradeEvent.inProgressFor(machine.name());
    }

    private UpgradeEvent createFailedEvent(IntentStatus status) {
        String machine = ownedMachinesStatus == null ? null : ownedMachinesStatus.failedMachine();
        return machine == null
                ? UpgradeEvent.failed(status.target().text(), describeFailures(status))
                : UpgradeEvent.failedFor(machine);
    }

    /** Describes the failures in numbers. */
    static String describeFailures(IntentStatus status) {
        return status.failed() + " of " + status.machines() + " machines failed";
    }

    private @Nullable UpgradeEvent planDone(String target) {
        boolean shownBefore = planStatus(IntentStatus.IntentState.DONE);
        if (object instanceof ClusterView) {
            annotationWriteBuilder.setAnnotation(AnnotationKeys.RELEASE, target, objectAnnotations.release());
        }
        if (upgradeAnnotation != null && upgradeAnnotation.value().equals(target)) {
            annotationWriteBuilder
                    .setAnnotation(upgradeAnnotation.key(), null, upgradeAnnotation.value())
                    .setAnnotation(AnnotationKeys.LAST_FULFILLED, target, objectAnnotations.fulfilled());
            readVersion = object.version();
        }
        return shownBefore ? null : ownedMachinesStatus == null ? UpgradeEvent.done(target) : UpgradeEvent.allDone();
    }
}
