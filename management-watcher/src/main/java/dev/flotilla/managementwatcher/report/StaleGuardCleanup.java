package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.AttemptFailure;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Removes the guard annotations of an attempt that is over: its worker died, or could not reach the API server. A machine that is
 * being deleted is held no longer than ten minutes, even if its attempt goes on.
 */
final class StaleGuardCleanup {
    private StaleGuardCleanup() {}

    /** How long a hook may hold a machine that is being deleted, in milliseconds. */
    static final long MAX_HOLD = 600_000;

    /** Time for a worker to remove its guards itself. */
    private static final long DELAY = 120_000;

    /** Returns the time for a worker to remove its guards itself. After a final failure a MachineHealthCheck must see the machine at once. */
    static long delay(MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        Long attempt = attemptOf(machine);
        AttemptFailure failure = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().lastFailure();
        RolloutEntry entry = receivedMachineStatus == null
                ? null
                : receivedMachineStatus.row().latestEntry();
        boolean hasFailedForGood = failure != null
                && attempt != null
                && failure.attemptId() == attempt
                && entry != null
                && entry.outcome() == MachineOutcome.QUARANTINED;
        return hasFailedForGood ? 0 : DELAY;
    }

    /** Whether a hook holds a machine that is being deleted. */
    static boolean isHeld(MachineView machine) {
        return machine.deleting() && machine.annotations().holdsTermination();
    }

    /** Plans the removal of the hook alone. */
    static AnnotationWrite planRelease(MachineView machine) {
        return new AnnotationWrite(
                machine.key(),
                machine.uid(),
                machine.version(),
                new AnnotationWriteBuilder()
                        .setAnnotation(AnnotationKeys.TERMINATION_HOOK, null, AnnotationKeys.TERMINATION_HOOK)
                        .annotations(),
                null);
    }

    private static @Nullable Long attemptOf(MachineView machine) {
        KubeObject attemptAnnotation = KubeObject.parse(machine.annotations().attempt());
        return attemptAnnotation == null ? null : attemptAnnotation.number("attemptId");
    }

    /** Whether the machine has the attempt annotation of an attempt that is over, or a hook that no attempt names. */
    public static boolean isStale(MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        Long attempt = attemptOf(machine);
        UpgradeAttempt openAttempt = receivedMachineStatus == null
                        || !receivedMachineStatus.row().uid().equals(machine.uid())
                ? null
                : receivedMachineStatus.row().attempt();
        return attempt == null
                ? machine.annotations().holdsTermination()
                : openAttempt == null || openAttempt.id() > attempt;
    }

    /** Plans the removal; null if there is nothing to remove. */
    public static @Nullable AnnotationWrite planRemoval(MachineView machine) {
        KubeObject attemptAnnotation = KubeObject.parse(machine.annotations().attempt());
        if (attemptAnnotation == null) {
            return machine.annotations().holdsTermination() ? planRelease(machine) : null;
        }
        AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder()
                .setAnnotation(
                        AnnotationKeys.ATTEMPT, null, machine.annotations().attempt());
        attemptAnnotation.texts("setAnnotations").stream()
                .filter(AnnotationKeys.GUARDS::contains)
                .forEach(annotation -> annotationWriteBuilder.setAnnotation(annotation, null, annotation));
        return new AnnotationWrite(
                machine.key(), machine.uid(), machine.version(), annotationWriteBuilder.annotations(), null);
    }
}
