package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the objects of the management cluster allow an upgrade of a machine now. Each check returns why not,
 * or null if nothing prevents it. The texts are stable: the same cause has the same text.
 */
public final class ObjectPreconditions {
    private static final List<String> FOREIGN_ANNOTATIONS = List.of(
            "cluster.x-k8s.io/delete-machine",
            "cluster.x-k8s.io/remediate-machine",
            "in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
            "v1beta2.k8sd.io/refresh-certificates");

    private static final List<String> CHANGING = List.of("RollingOut", "ScalingUp", "ScalingDown", "Remediating");

    /**
     * Conditions of a control plane's members and their datastore. Only False prevents an upgrade, because providers do
     * not set all of them.
     */
    private static final List<String> HEALTH_CONDITIONS =
            List.of("ControlPlaneComponentsHealthy", "EtcdClusterHealthy", "DatastoreHealthy", "Available");

    /** Paths of the conditions in the versions of Cluster API. */
    private static final List<List<String>> CONDITION_PATHS = List.of(
            List.of("status", "conditions"),
            List.of("status", "v1beta2", "conditions"),
            List.of("status", "deprecated", "v1beta1", "conditions"));

    private ObjectPreconditions() {}

    /**
     * Checks a Machine.
     *
     * @param ownChangeId change-id that an attempt of Flotilla wrote; null for none
     */
    public static @Nullable String findMachineProblem(
            KubeObject machine, String uid, SiteMode mode, @Nullable String ownChangeId) {
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
        if (mode != SiteMode.DIRECT && machine.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
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

    /** Checks a Cluster. */
    public static @Nullable String findClusterProblem(KubeObject cluster) {
        return cluster.bool("spec", "paused")
                ? "the cluster is paused"
                : WorkerAnnotationKeys.findHold(cluster, "the cluster");
    }

    /** Checks whether the owner of a machine leaves the machine alone. */
    public static @Nullable String findOwnerProblem(KubeObject owner, SiteMode mode) {
        String ownerText = "its owner " + owner.name();
        String hold = WorkerAnnotationKeys.findHold(owner, ownerText);
        if (hold != null) {
            return hold;
        }
        if (mode != SiteMode.DIRECT && owner.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
            return "foreign: " + ownerText + " has annotation " + WorkerAnnotationKeys.UPGRADE_TO
                    + WorkerAnnotationKeys.THEIRS;
        }
        for (String condition : CHANGING) {
            if (owner.isCondition(condition, "True")) {
                return ownerText + " is " + condition;
            }
        }
        Long desired = owner.number("spec", "replicas");
        Long present = owner.number("status", "replicas");
        if (desired != null && !Objects.equals(desired, present == null ? Long.valueOf(0) : present)) {
            return ownerText + " has " + (present == null ? 0 : present) + " machines of " + desired;
        }
        Long upToDate = owner.number("status", "upToDateReplicas");
        Long updated = upToDate == null ? owner.number("status", "updatedReplicas") : upToDate;
        return desired != null && updated != null && updated < desired
                ? ownerText + " has " + updated + " machines up to date of " + desired
                : null;
    }

    /**
     * Checks whether a control plane can lose a member, from the conditions of the members' owner. A Ready Node says
     * nothing about its datastore.
     */
    public static @Nullable String findControlPlaneProblem(KubeObject owner) {
        for (List<String> path : CONDITION_PATHS) {
            for (KubeObject condition : owner.list(path.toArray(String[]::new))) {
                String type = condition.text("type");
                if (type != null && HEALTH_CONDITIONS.contains(type) && "False".equals(condition.text("status"))) {
                    String reason = condition.text("reason");
                    return "the control plane is not " + type + (reason == null ? "" : " (" + reason + ")");
                }
            }
        }
        return null;
    }
}
