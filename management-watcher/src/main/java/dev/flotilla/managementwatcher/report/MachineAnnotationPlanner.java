package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ReportedChangeAnnotation;
import dev.flotilla.managementwatcher.view.UpgradeAnnotation;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Plans the annotations that show the upgrade of a Machine. The provider writes four times for each upgrade; this
 * planner writes twice: when the node has begun and when the upgrade is over. It converges from any state of the
 * annotations to what the tables say.
 */
final class MachineAnnotationPlanner {
    private final MachineView machine;
    private final ObjectAnnotations objectAnnotations;
    private final @Nullable ReceivedMachineStatus receivedMachineStatus;
    private final @Nullable UpgradeAnnotation upgradeAnnotation;
    private final @Nullable UpgradeIntent intent;

    private MachineAnnotationPlanner(
            MachineView machine,
            @Nullable ReceivedMachineStatus receivedMachineStatus,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent intent) {
        this.machine = machine;
        this.objectAnnotations = machine.annotations();
        this.receivedMachineStatus = receivedMachineStatus != null
                        && receivedMachineStatus.row().uid().equals(machine.uid())
                ? receivedMachineStatus
                : null;
        this.upgradeAnnotation = upgradeAnnotation;
        this.intent = intent;
    }

    /**
     * Plans the next write; null for none.
     *
     * @param upgradeAnnotation upgrade annotation of the machine; null for none
     * @param intent intent row for that annotation; null for none
     */
    public static @Nullable AnnotationWrite planAnnotations(
            MachineView machine,
            @Nullable ReceivedMachineStatus receivedMachineStatus,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent intent) {
        return new MachineAnnotationPlanner(machine, receivedMachineStatus, upgradeAnnotation, intent).planNextWrite();
    }

    private @Nullable AnnotationWrite planNextWrite() {
        UpgradeAttempt openAttempt = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().attempt();
        if (openAttempt != null) {
            return openAttempt.state() instanceof AttemptState.Running running && running.changeId() != null
                    ? planInProgress(openAttempt, running.changeId())
                    : isReported(openAttempt) || openAttempt.state() instanceof AttemptState.Unknown
                            ? null
                            : planCleanup();
        }
        if (upgradeAnnotation != null && upgradeAnnotation.problem() != null) {
            return planRejected(upgradeAnnotation);
        }
        RolloutEntry entry = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().latestEntry();
        if (receivedMachineStatus != null
                && receivedMachineStatus.shown()
                && !(entry != null && upgradeAnnotation != null && isForIntent(entry.rolloutRef()))) {
            return planCleanup();
        }
        if (entry != null && entry.target() != null && entry.outcome().isAtTarget()) {
            return planDone(entry.rolloutRef(), entry.target());
        }
        AttemptFailure failure = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().lastFailure();
        return entry != null && entry.target() != null && failure != null && entry.hasFailed()
                ? planFailed(entry.target().text(), failure)
                : planCleanup();
    }

    private boolean isReported(UpgradeAttempt openAttempt) {
        ReportedChangeAnnotation reportedChangeAnnotation =
                ReportedChangeAnnotation.parse(objectAnnotations.reported());
        return reportedChangeAnnotation != null && reportedChangeAnnotation.attempt() == openAttempt.id();
    }

    private @Nullable AnnotationWrite planRejected(UpgradeAnnotation requested) {
        return writeIfChanged(
                new AnnotationWriteBuilder().setAnnotation(AnnotationKeys.STATUS, "failed", objectAnnotations.status()),
                0,
                UpgradeEvent.failed(requested.value(), "the annotation " + requested.problem()));
    }

    private @Nullable AnnotationWrite planInProgress(UpgradeAttempt attempt, String changeId) {
        String target = attempt.target().text();
        String reported = new ReportedChangeAnnotation(attempt.id(), changeId).toAnnotationValue();
        return writeIfChanged(
                new AnnotationWriteBuilder()
                        .setAnnotation(AnnotationKeys.STATUS, "in-progress", objectAnnotations.status())
                        .setAnnotation(AnnotationKeys.CHANGE_ID, changeId, objectAnnotations.changeId())
                        .setAnnotation(AnnotationKeys.OWN_CHANGE, reported, objectAnnotations.reported())
                        .setAnnotation(AnnotationKeys.LAST_FULFILLED, null, objectAnnotations.fulfilled())
                        .setAnnotation(AnnotationKeys.RELEASE, null, objectAnnotations.release()),
                0,
                isForIntent(attempt.rolloutRef()) ? UpgradeEvent.inProgress(target) : null);
    }

    private @Nullable AnnotationWrite planDone(RolloutRef rolloutRef, UpgradeTarget reached) {
        String target = reached.text();
        AnnotationWriteBuilder annotationWriteBuilder = removeChangeAnnotations(new AnnotationWriteBuilder());
        boolean overtaken = isOvertaken();
        if (!overtaken) {
            annotationWriteBuilder
                    .setAnnotation(AnnotationKeys.STATUS, "done", objectAnnotations.status())
                    .setAnnotation(
                            AnnotationKeys.RELEASE, isSnapTarget(reached) ? target : null, objectAnnotations.release())
                    .setAnnotation(AnnotationKeys.LAST_FAILED_ATTEMPT_AT, null, objectAnnotations.lastFailedAt());
        }
        boolean fulfilled = upgradeAnnotation != null
                && isForIntent(rolloutRef)
                && upgradeAnnotation.value().equals(target);
        boolean requested = upgradeAnnotation != null && fulfilled && upgradeAnnotation.isOnObject();
        if (upgradeAnnotation != null && requested) {
            annotationWriteBuilder
                    .setAnnotation(upgradeAnnotation.key(), null, upgradeAnnotation.value())
                    .setAnnotation(AnnotationKeys.LAST_FULFILLED, target, objectAnnotations.fulfilled());
        }
        UpgradeEvent upgradeEvent =
                isForIntent(rolloutRef) ? UpgradeEvent.done(target) : UpgradeEvent.doneAmongOthers(target);
        return writeIfChanged(
                annotationWriteBuilder, requested ? machine.version() : 0, overtaken ? null : upgradeEvent);
    }

    /** Whether a target is one of the provider's, to which machines that join the owner can be upgraded too. */
    private static boolean isSnapTarget(UpgradeTarget target) {
        return switch (target) {
            case UpgradeTarget.Channel channel -> true;
            case UpgradeTarget.Revision revision -> true;
            case UpgradeTarget.LocalPath path -> true;
            case UpgradeTarget.KubernetesRelease release -> false;
            case UpgradeTarget.MachineSpecHash hash -> false;
        };
    }

    /** Whether another controller upgraded the machine after the received status: its release is newer than ours. */
    private boolean isOvertaken() {
        Instant releasedByOthers = objectAnnotations.releasedByOthers();
        return receivedMachineStatus != null
                && releasedByOthers != null
                && releasedByOthers.isAfter(receivedMachineStatus.receivedAt());
    }

    private boolean isForIntent(RolloutRef rolloutRef) {
        return intent != null
                && rolloutRef instanceof RolloutRef.IntentRef intentRef
                && intentRef.object().equals(machine.key())
                && intentRef.requestedAt().equals(intent.requestedAt());
    }

    private @Nullable AnnotationWrite planFailed(String target, AttemptFailure failure) {
        if (isOvertaken()) {
            return planCleanup();
        }
        AnnotationWriteBuilder annotationWriteBuilder = removeChangeAnnotations(new AnnotationWriteBuilder())
                .setAnnotation(AnnotationKeys.STATUS, "failed", objectAnnotations.status())
                .setAnnotation(
                        AnnotationKeys.LAST_FAILED_ATTEMPT_AT,
                        GoTimeFormatter.format(failure.failedAt()),
                        objectAnnotations.lastFailedAt());
        return writeIfChanged(
                annotationWriteBuilder,
                0,
                UpgradeEvent.failed(target, failure.reason().label() + ": " + failure.text()));
    }

    /** Removes the annotations of an upgrade in progress, because nothing is known of it or it had no result. */
    private @Nullable AnnotationWrite planCleanup() {
        return objectAnnotations.isChangeOurs()
                ? writeIfChanged(
                        removeChangeAnnotations(new AnnotationWriteBuilder())
                                .setAnnotation(AnnotationKeys.STATUS, null, objectAnnotations.status()),
                        0,
                        null)
                : null;
    }

    private AnnotationWriteBuilder removeChangeAnnotations(AnnotationWriteBuilder annotationWriteBuilder) {
        if (objectAnnotations.isChangeOurs()) {
            annotationWriteBuilder.setAnnotation(AnnotationKeys.CHANGE_ID, null, objectAnnotations.changeId());
        }
        return annotationWriteBuilder.setAnnotation(AnnotationKeys.OWN_CHANGE, null, objectAnnotations.reported());
    }

    private @Nullable AnnotationWrite writeIfChanged(
            AnnotationWriteBuilder annotationWriteBuilder, long readVersion, @Nullable UpgradeEvent upgradeEvent) {
        return annotationWriteBuilder.isEmpty()
                ? null
                : new AnnotationWrite(
                        machine.key(), machine.uid(), readVersion, annotationWriteBuilder.annotations(), upgradeEvent);
    }
}
