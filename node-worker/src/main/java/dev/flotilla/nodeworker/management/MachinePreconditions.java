package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks whether a Machine may be upgraded now. The texts are stable: the same cause has the same text. */
public final class MachinePreconditions {
    private static final List<String> FOREIGN_ANNOTATIONS = List.of(
            "cluster.x-k8s.io/delete-machine",
            "cluster.x-k8s.io/remediate-machine",
            "in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
            "v1beta2.k8sd.io/refresh-certificates");

    private MachinePreconditions() {}

    /**
     * Returns why not; null if nothing prevents it.
     *
     * @param ownChangeId change-id that an attempt of Flotilla wrote; null for none
     */
    public static @Nullable String findProblem(
            KubeObject machine, String uid, SiteMode trigger, @Nullable String ownChangeId) {
        if (!machine.uid().equals(uid)) {
            return "the machine was replaced by another one of the same name";
        }
        String hold = WorkerAnnotationKeys.findHold(machine, "the machine");
        if (hold != null) {
            return hold;
        }
        for (String key : FOREIGN_ANNOTATIONS) {
            if (machine.annotation(key) != null) {
                return "the machine has annotation " + key;
            }
        }
        if (trigger != SiteMode.DIRECT && machine.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
            return "foreign: the machine has annotation " + WorkerAnnotationKeys.UPGRADE_TO
                    + WorkerAnnotationKeys.THEIRS;
        }
        String changeId = machine.annotation(WorkerAnnotationKeys.CHANGE_ID);
        if (changeId != null && !changeId.equals(ownChangeId)) {
            return "foreign: the machine has annotation " + WorkerAnnotationKeys.CHANGE_ID
                    + ", which no attempt of Flotilla wrote";
        }
        return machine.isCondition("OwnerRemediated", "False") ? "the machine is being remediated" : null;
    }

    /** Returns the change-id that an attempt of Flotilla wrote: one beside an attempt annotation. */
    public static @Nullable String ownChangeId(KubeObject machine) {
        return AttemptAnnotation.onMachine(machine) == null ? null : machine.annotation(WorkerAnnotationKeys.CHANGE_ID);
    }
}
