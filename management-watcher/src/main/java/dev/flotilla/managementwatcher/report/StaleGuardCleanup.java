package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/** Removes the guard annotations of an attempt that is over: its worker died, or could not reach the API server. */
final class StaleGuardCleanup {
    private StaleGuardCleanup() {}

    /** Whether the machine has the attempt annotation of an attempt that is over. */
    public static boolean isStale(MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        KubeObject attemptAnnotation = KubeObject.parse(machine.annotations().attempt());
        Long attempt = attemptAnnotation == null ? null : attemptAnnotation.number("attemptId");
        UpgradeAttempt openAttempt = receivedMachineStatus == null
                        || !receivedMachineStatus.row().uid().equals(machine.uid())
                ? null
                : receivedMachineStatus.row().attempt();
        return attempt != null && (openAttempt == null || openAttempt.id() > attempt);
    }

    /** Plans the removal; null if there is nothing to remove. */
    public static @Nullable AnnotationWrite planRemoval(MachineView machine) {
        KubeObject attemptAnnotation = KubeObject.parse(machine.annotations().attempt());
        if (attemptAnnotation == null) {
            return null;
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
