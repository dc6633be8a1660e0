package dev.flotilla.managementwatcher.report;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.managementwatcher.report.AnnotationWrite.AnnotationWriteBuilder;
import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.WatcherAnnotationKeys;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a worker left on a Machine though its attempt is over: it died, or could not reach the API server then. */
public final class StaleGuardCleanup {
    /** Whatever an attempt may have set: a mark that names more is not believed. */
    private static final List<String> EVER =
            List.of(WatcherAnnotationKeys.SKIP_REMEDIATION, WatcherAnnotationKeys.SCALE_DOWN_DISABLED);

    private StaleGuardCleanup() {}

    /** Whether a mark is there of an attempt that is over. */
    public static boolean isStale(MachineView machine, @Nullable ReceivedMachineStatus receivedMachineStatus) {
        KubeObject mark = KubeObject.parse(machine.annotations().attempt());
        Long attempt = mark == null ? null : mark.number("attempt");
        UpgradeAttempt open = receivedMachineStatus == null
                        || !receivedMachineStatus.row().uid().equals(machine.uid())
                ? null
                : receivedMachineStatus.row().attempt();
        return attempt != null && (open == null || open.id() > attempt);
    }

    /** What takes it away. */
    public static @Nullable AnnotationWrite planRemoval(MachineView machine) {
        KubeObject mark = KubeObject.parse(machine.annotations().attempt());
        if (mark == null) {
            return null;
        }
        AnnotationWriteBuilder annotationWriteBuilder = new AnnotationWriteBuilder()
                .setAnnotation(
                        WatcherAnnotationKeys.ATTEMPT,
                        null,
                        machine.annotations().attempt());
        mark.texts("set").stream()
                .filter(EVER::contains)
                .forEach(annotation -> annotationWriteBuilder.setAnnotation(annotation, null, annotation));
        return new AnnotationWrite(
                machine.key(), machine.uid(), machine.version(), annotationWriteBuilder.annotations(), null);
    }
}
