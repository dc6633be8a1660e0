package dev.flotilla.managementwatcher.report;

import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.rows.UpgradeAnnotation;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.ObjectAnnotations;
import dev.flotilla.managementwatcher.view.ReportedChangeAnnotation;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.AttemptState;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a Machine's annotations say of its upgrade. The provider writes four times for one upgrade; this writes twice: when the
 * node has begun, and when it is over. It converges: from whatever is there, to what the tables say.
 */
public final class MachineAnnotationPlanner {
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
     * What has to become different; null for nothing.
     *
     * @param upgradeAnnotation what somebody wrote on the machine
     * @param intent the row that this came to
     */
    public static @Nullable AnnotationWrite planAnnotations(
            MachineView machine,
            @Nullable ReceivedMachineStatus receivedMachineStatus,
            @Nullable UpgradeAnnotation upgradeAnnotation,
            @Nullable UpgradeIntent intent) {
        return new MachineAnnotationPlanner(machine, receivedMachineStatus, upgradeAnnotation, intent).amendment();
    }

    private @Nullable AnnotationWrite amendment() {
        UpgradeAttempt open = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().attempt();
        if (open != null) {
            return open.state() instanceof AttemptState.Running running && running.changeId() != null
                    ? begun(open, running.changeId())
                    : isOf(open) || open.state() instanceof AttemptState.Unknown ? null : left();
        }
        if (upgradeAnnotation != null && upgradeAnnotation.problem() != null) {
            return refused(upgradeAnnotation);
        }
        RolloutEntry entry = receivedMachineStatus == null ? null : entry(receivedMachineStatus);
        if (receivedMachineStatus != null
                && receivedMachineStatus.shown()
                && !(entry != null && upgradeAnnotation != null && isAsked(entry.rolloutRef()))) {
            return left();
        }
        if (entry != null && entry.outcome().isAtTarget()) {
            return done(entry);
        }
        AttemptFailure failure = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().lastFailure();
        return entry != null && failure != null && isFailed(entry) ? failed(entry, failure) : left();
    }

    private static boolean isFailed(RolloutEntry entry) {
        return entry.outcome() == MachineOutcome.QUARANTINED
                || (entry.outcome() == MachineOutcome.OPEN && entry.failedAttempts() > 0);
    }

    private boolean isOf(UpgradeAttempt open) {
        ReportedChangeAnnotation reportedChangeAnnotation =
                ReportedChangeAnnotation.parse(objectAnnotations.reported());
        return reportedChangeAnnotation != null && reportedChangeAnnotation.attempt() == open.id();
    }

    /** That of the latest attempt; where nobody heard of it, the one that ended. */
    private static @Nullable RolloutEntry entry(ReceivedMachineStatus receivedMachineStatus) {
        RolloutEntry found = null;
        for (RolloutEntry entry : receivedMachineStatus.row().entries()) {
            boolean latest = receivedMachineStatus.latestAttempt() == null
                    ? entry.outcome() != MachineOutcome.SKIPPED
                    : entry.rolloutRef()
                            .equals(receivedMachineStatus.latestAttempt().rolloutRef());
            found = latest ? entry : found;
        }
        return found;
    }

    private @Nullable AnnotationWrite refused(UpgradeAnnotation asked) {
        return amended(
                new AnnotationWriteBuilder()
                        .setAnnotation(WatcherAnnotationKeys.STATUS, "failed", objectAnnotations.status()),
                0,
                UpgradeEvent.failed(asked.value(), "the option " + asked.problem()));
    }

    private @Nullable AnnotationWrite begun(UpgradeAttempt attempt, String changeId) {
        String target = attempt.target().text();
        String reported = new ReportedChangeAnnotation(attempt.id(), changeId, target).toAnnotationValue();
        return amended(
                new AnnotationWriteBuilder()
                        .setAnnotation(WatcherAnnotationKeys.STATUS, "in-progress", objectAnnotations.status())
                        .setAnnotation(WatcherAnnotationKeys.CHANGE_ID, changeId, objectAnnotations.changeId())
                        .setAnnotation(WatcherAnnotationKeys.REPORTED, reported, objectAnnotations.reported())
                        .setAnnotation(WatcherAnnotationKeys.FULFILLED, null, objectAnnotations.fulfilled())
                        .setAnnotation(WatcherAnnotationKeys.RELEASE, null, objectAnnotations.release()),
                0,
                isAsked(attempt.rolloutRef()) ? UpgradeEvent.inProgress(target) : null);
    }

    private @Nullable AnnotationWrite done(RolloutEntry entry) {
        String target = target(entry);
        if (target == null) {
            return left();
        }
        AnnotationWriteBuilder annotationWriteBuilder = withoutOurs(new AnnotationWriteBuilder());
        boolean overtaken = isOvertaken();
        if (!overtaken) {
            annotationWriteBuilder
                    .setAnnotation(WatcherAnnotationKeys.STATUS, "done", objectAnnotations.status())
                    .setAnnotation(WatcherAnnotationKeys.RELEASE, target, objectAnnotations.release())
                    .setAnnotation(
                            WatcherAnnotationKeys.LAST_FAILED_ATTEMPT_AT, null, objectAnnotations.lastFailedAt());
        }
        boolean fulfilled = upgradeAnnotation != null
                && isAsked(entry.rolloutRef())
                && upgradeAnnotation.value().equals(target);
        boolean asked = upgradeAnnotation != null && fulfilled && upgradeAnnotation.isOnObject();
        if (upgradeAnnotation != null && asked) {
            annotationWriteBuilder
                    .setAnnotation(upgradeAnnotation.key(), null, upgradeAnnotation.value())
                    .setAnnotation(WatcherAnnotationKeys.FULFILLED, target, objectAnnotations.fulfilled());
        }
        UpgradeEvent upgradeEvent =
                isAsked(entry.rolloutRef()) ? UpgradeEvent.done(target) : UpgradeEvent.doneAmongOthers(target);
        return amended(annotationWriteBuilder, asked ? machine.version() : 0, overtaken ? null : upgradeEvent);
    }

    /** Whether somebody else upgraded the machine after what was told: its release is newer than ours. */
    private boolean isOvertaken() {
        Instant theirs = objectAnnotations.releasedByOthers();
        return receivedMachineStatus != null && theirs != null && theirs.isAfter(receivedMachineStatus.receivedAt());
    }

    /** What it was upgraded to: as it was heard, as its row says, as we wrote it down, or as somebody still asks for it. */
    private @Nullable String target(RolloutEntry entry) {
        UpgradeAttempt latest = receivedMachineStatus == null ? null : receivedMachineStatus.latestAttempt();
        UpgradeTarget known = latest == null ? entry.target() : latest.target();
        if (known != null) {
            return known.text();
        }
        ReportedChangeAnnotation reportedChangeAnnotation =
                objectAnnotations.isChangeOurs() ? ReportedChangeAnnotation.parse(objectAnnotations.reported()) : null;
        if (reportedChangeAnnotation != null) {
            return reportedChangeAnnotation.target();
        }
        return intent != null && isAsked(entry.rolloutRef()) ? intent.target().text() : null;
    }

    private boolean isAsked(RolloutRef rolloutRef) {
        return intent != null
                && rolloutRef instanceof RolloutRef.IntentRef asked
                && asked.object().equals(machine.key())
                && asked.since().equals(intent.since());
    }

    private @Nullable AnnotationWrite failed(RolloutEntry entry, AttemptFailure failure) {
        if (isOvertaken()) {
            return left();
        }
        String target = target(entry);
        AnnotationWriteBuilder annotationWriteBuilder = withoutOurs(new AnnotationWriteBuilder())
                .setAnnotation(WatcherAnnotationKeys.STATUS, "failed", objectAnnotations.status())
                .setAnnotation(
                        WatcherAnnotationKeys.LAST_FAILED_ATTEMPT_AT,
                        GoTimeFormatter.format(failure.failedAt()),
                        objectAnnotations.lastFailedAt());
        return amended(
                annotationWriteBuilder,
                0,
                UpgradeEvent.failed(
                        target == null ? "" : target, failure.reason().label() + ": " + failure.text()));
    }

    /** Nothing is known of it, or nothing came of it: what we wrote while it went on goes. */
    private @Nullable AnnotationWrite left() {
        return objectAnnotations.isChangeOurs()
                ? amended(
                        withoutOurs(new AnnotationWriteBuilder())
                                .setAnnotation(WatcherAnnotationKeys.STATUS, null, objectAnnotations.status()),
                        0,
                        null)
                : null;
    }

    private AnnotationWriteBuilder withoutOurs(AnnotationWriteBuilder annotationWriteBuilder) {
        if (objectAnnotations.isChangeOurs()) {
            annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.CHANGE_ID, null, objectAnnotations.changeId());
        }
        return annotationWriteBuilder.setAnnotation(WatcherAnnotationKeys.REPORTED, null, objectAnnotations.reported());
    }

    private @Nullable AnnotationWrite amended(
            AnnotationWriteBuilder annotationWriteBuilder, long seen, @Nullable UpgradeEvent upgradeEvent) {
        return annotationWriteBuilder.isEmpty()
                ? null
                : new AnnotationWrite(
                        machine.key(), machine.uid(), seen, annotationWriteBuilder.annotations(), upgradeEvent);
    }
}
