package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.rows.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.ClusterView;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ObjectView;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.IntentStatus;
import dev.flotilla.schemas.row.UpgradeIntent;
import org.jspecify.annotations.Nullable;

/** What the annotations of an owner or a Cluster say of what it asked for, and of an owner what its machines have. */
public final class OwnerAnnotationPlanner {
    private final ObjectView object;
    private final ObjectAnnotations objectAnnotations;
    private final @Nullable UpgradeAnnotation upgradeAnnotation;
    private final @Nullable OwnedMachinesStatus ownedMachinesStatus;
    private final boolean othersWrite;
    private final AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder();
    private long seen;

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
     * What matters of an owner's machines.
     *
     * @param release what has to stand on the owner for them
     * @param anyBehind whether one of them does not show yet that it is at its owner's target
     * @param failedMachine one that failed; null for none
     */
    record OwnedMachinesStatus(
            JoinerReleaseAnnotations release,
            boolean anyBehind,
            @Nullable String failedMachine) {}

    /**
     * What has to become different; null for nothing.
     *
     * @param status what was told; null for nothing
     * @param upgradeAnnotation what somebody wrote on the object
     * @param intent the row that this came to
     * @param ownedMachinesStatus how its machines stand; null for a Cluster
     * @param othersWrite whether a status that nothing was told of is somebody else's
     */
    static @Nullable AnnotationWrite planAnnotations(
            ObjectView object,
            @Nullable IntentStatus status,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent intent,
            @Nullable OwnedMachinesStatus ownedMachinesStatus,
            boolean othersWrite) {
        OwnerAnnotationPlanner report =
                new OwnerAnnotationPlanner(object, upgradeAnnotation, ownedMachinesStatus, othersWrite);
        boolean told = isAboutIntent(status, object, intent);
        UpgradeEvent upgradeEvent = report.drafted(told ? status : null);
        return report.annotationWriteBuilder.isEmpty()
                ? null
                : new AnnotationWrite(
                        object.key(),
                        object.uid(),
                        report.seen,
                        report.annotationWriteBuilder.annotations(),
                        upgradeEvent);
    }

    /** Whether what was told is about this very wish. */
    static boolean isAboutIntent(@Nullable IntentStatus status, ObjectView object, @Nullable UpgradeIntent intent) {
        return status != null
                && intent != null
                && status.uid().equals(object.uid())
                && status.since().equals(intent.since());
    }

    private @Nullable UpgradeEvent drafted(@Nullable IntentStatus status) {
        if (ownedMachinesStatus != null) {
            annotationWriteBuilder
                    .setAnnotation(
                            WatcherAnnotationKeys.RELEASE,
                            ownedMachinesStatus.release().release(),
                            objectAnnotations.release())
                    .setAnnotation(
                            WatcherAnnotationKeys.DEFAULT_RELEASE,
                            ownedMachinesStatus.release().defaultRelease(),
                            objectAnnotations.defaultRelease());
        }
        String problem = upgradeAnnotation == null ? null : upgradeAnnotation.problem();
        if (upgradeAnnotation != null && problem != null) {
            return shows(IntentStatus.IntentState.FAILED)
                    ? null
                    : UpgradeEvent.failed(upgradeAnnotation.value(), "the option " + problem);
        }
        if (status != null) {
            return told(status);
        }
        if (upgradeAnnotation == null
                && !othersWrite
                && IntentStatus.IntentState.IN_PROGRESS.label().equals(objectAnnotations.status())) {
            // What was asked for was taken back.
            annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.STATUS, null, objectAnnotations.status());
        }
        return null;
    }

    /** Drafts the status; returns whether it was shown before. */
    private boolean shows(IntentStatus.IntentState state) {
        annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.STATUS, state.label(), objectAnnotations.status());
        return state.label().equals(objectAnnotations.status());
    }

    private @Nullable UpgradeEvent told(IntentStatus status) {
        return switch (status.state()) {
            case IN_PROGRESS -> begun(status);
            case FAILED -> shows(IntentStatus.IntentState.FAILED) ? null : failed(status);
            case DONE ->
                ownedMachinesStatus != null && ownedMachinesStatus.anyBehind()
                        ? null
                        : done(status.target().text());
        };
    }

    private @Nullable UpgradeEvent begun(IntentStatus status) {
        annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.FULFILLED, null, objectAnnotations.fulfilled());
        if (ownedMachinesStatus == null) {
            annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.RELEASE, null, objectAnnotations.release());
        }
        if (shows(IntentStatus.IntentState.IN_PROGRESS)) {
            return null;
        }
        MachineKey machine = status.currentMachine();
        return ownedMachinesStatus == null || machine == null
                ? UpgradeEvent.inProgress(status.target().text())
                : UpgradeEvent.inProgressFor(machine.name());
    }

    private UpgradeEvent failed(IntentStatus status) {
        String machine = ownedMachinesStatus == null ? null : ownedMachinesStatus.failedMachine();
        return machine == null
                ? UpgradeEvent.failed(status.target().text(), failures(status))
                : UpgradeEvent.failedFor(machine);
    }

    /** What went wrong, in numbers. */
    static String failures(IntentStatus status) {
        return status.failed() + " of " + status.machines() + " machines failed";
    }

    private @Nullable UpgradeEvent done(String target) {
        boolean shown = shows(IntentStatus.IntentState.DONE);
        if (object instanceof ClusterView) {
            annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.RELEASE, target, objectAnnotations.release());
        }
        if (upgradeAnnotation != null && upgradeAnnotation.value().equals(target)) {
            annotationWriteBuilder
                    .setAnnotation(upgradeAnnotation.key(), null, upgradeAnnotation.value())
                    .setAnnotation(WatcherAnnotationKeys.FULFILLED, target, objectAnnotations.fulfilled());
            seen = object.version();
        }
        return shown ? null : ownedMachinesStatus == null ? UpgradeEvent.done(target) : UpgradeEvent.allDone();
    }
}
