package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a Machine, as it is now, may be upgraded. The texts are stable: the same cause reads the same. */
public final class MachinePreconditions {
    private static final List<String> OTHERS_AT_WORK = List.of(
            "cluster.x-k8s.io/delete-machine",
            "cluster.x-k8s.io/remediate-machine",
            "in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
            "v1beta2.k8sd.io/refresh-certificates");

    private MachinePreconditions() {}

    /**
     * Why it must not be; null where nothing speaks against it.
     *
     * @param ownChangeId a change that an attempt of ours wrote down; null for none
     */
    public static @Nullable String findProblem(
            KubeObject machine, String uid, SiteMode trigger, @Nullable String ownChangeId) {
        if (!machine.uid().equals(uid)) {
            return "another machine has its name now";
        }
        String people = WorkerAnnotationKeys.findHold(machine, "the machine");
        if (people != null) {
            return people;
        }
        for (String key : OTHERS_AT_WORK) {
            if (machine.annotation(key) != null) {
                return "the machine bears " + key;
            }
        }
        if (trigger != SiteMode.DIRECT && machine.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
            return "foreign: the machine bears " + WorkerAnnotationKeys.UPGRADE_TO + WorkerAnnotationKeys.THEIRS;
        }
        String changeId = machine.annotation(WorkerAnnotationKeys.CHANGE_ID);
        if (changeId != null && !changeId.equals(ownChangeId)) {
            return "foreign: the machine bears " + WorkerAnnotationKeys.CHANGE_ID + ", and no attempt of ours wrote it";
        }
        return machine.isCondition("OwnerRemediated", "False") ? "the machine is being remediated" : null;
    }

    /** The change that the machine says an attempt of ours made: one that stands beside our mark. */
    public static @Nullable String ownChangeId(KubeObject machine) {
        return AttemptAnnotation.onMachine(machine) == null ? null : machine.annotation(WorkerAnnotationKeys.CHANGE_ID);
    }
}
