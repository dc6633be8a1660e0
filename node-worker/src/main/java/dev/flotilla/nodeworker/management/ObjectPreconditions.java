package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.kube.AnnotationKeys;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the objects of the management cluster allow an upgrade of a machine now. Each check returns why not,
 * or null if nothing prevents it. The texts are stable: the same cause has the same text.
 */
public final class ObjectPreconditions {
    private static final List<String> FOREIGN_ANNOTATIONS = List.of(
            AnnotationKeys.DELETE_MACHINE,
            AnnotationKeys.REMEDIATE_MACHINE,
            AnnotationKeys.UPDATE_IN_PROGRESS,
            AnnotationKeys.REFRESH_CERTIFICATES);

    private static final List<String> HOLDS =
            List.of(AnnotationKeys.PAUSED, AnnotationKeys.HOLD, AnnotationKeys.OPT_OUT);

    private static final String KUBEADM_CONTROL_PLANE = "KubeadmControlPlane";
    private static final String ROLLING_OUT = "RollingOut";
    private static final String REMEDIATING = "Remediating";

    private static final List<String> CHANGING = List.of(ROLLING_OUT, "ScalingUp", "ScalingDown", REMEDIATING);

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
        String hold = findHold(machine, "the machine");
        if (hold != null) {
            return hold;
        }
        for (String key : FOREIGN_ANNOTATIONS) {
            boolean ours = key.equals(AnnotationKeys.UPDATE_IN_PROGRESS) && isUpdatedByTask(machine);
            if (machine.annotation(key) != null && !ours) {
                return "the machine has annotation " + key;
            }
        }
        String foreign = findForeignUpgrade(machine, "the machine", mode);
        if (foreign != null) {
            return foreign;
        }
        String changeId = machine.annotation(AnnotationKeys.CHANGE_ID);
        if (changeId != null && !changeId.equals(ownChangeId)) {
            return "foreign: the machine has annotation " + AnnotationKeys.CHANGE_ID
                    + ", which no attempt of Flotilla wrote";
        }
        return machine.isCondition("OwnerRemediated", "False") ? "the machine is being remediated" : null;
    }

    /** Returns the change-id that an attempt of Flotilla wrote: one beside an attempt annotation. */
    public static @Nullable String ownChangeId(KubeObject machine) {
        return AttemptAnnotation.onMachine(machine) == null ? null : machine.annotation(AnnotationKeys.CHANGE_ID);
    }

    /** Checks a Cluster. */
    public static @Nullable String findClusterProblem(KubeObject cluster) {
        return cluster.bool("spec", "paused") ? "the cluster is paused" : findHold(cluster, "the cluster");
    }

    /** Whether Cluster API updates a Machine in place, and an UpgradeTask does it for Cluster API. */
    public static boolean isUpdatedByTask(KubeObject machine) {
        return machine.annotation(AnnotationKeys.UPDATE_IN_PROGRESS) != null
                && machine.annotation(AnnotationKeys.UPGRADE_TASK) != null;
    }

    /**
     * Whether the pause of a machine's owner keeps nothing from starting. Cluster API replaces the only member of a
     * control plane instead of upgrading it in place. So its KubeadmControlPlane is paused while an UpgradeTask upgrades
     * the member. The pause of a Cluster, and any other hold, is a person's no.
     */
    public static boolean isPausedForTask(KubeObject owner, KubeObject machine) {
        Long replicas = owner.number("spec", "replicas");
        return KUBEADM_CONTROL_PLANE.equals(owner.text("kind"))
                && replicas != null
                && replicas == 1
                && machine.annotation(AnnotationKeys.UPGRADE_TASK) != null;
    }

    /**
     * Checks whether the owner of a machine leaves the machine alone.
     *
     * @param updatedByTask whether the owner itself has begun the machine's upgrade: see {@link #isUpdatedByTask}. Then
     *     its rollout does not count, and the machine is one that is not up to date
     * @param pausedForTask whether its pause does not count: see {@link #isPausedForTask}
     */
    public static @Nullable String findOwnerProblem(
            KubeObject owner, SiteMode mode, boolean updatedByTask, boolean pausedForTask) {
        String ownerText = "its owner " + owner.name();
        String hold = findHold(owner, ownerText, pausedForTask);
        if (hold != null) {
            return hold;
        }
        String foreign = findForeignUpgrade(owner, ownerText, mode);
        if (foreign != null) {
            return foreign;
        }
        Long desired = owner.number("spec", "replicas");
        Long upToDate = owner.number("status", "upToDateReplicas");
        Long updated = upToDate == null ? owner.number("status", "updatedReplicas") : upToDate;
        boolean behind = desired != null && updated != null && updated < desired;
        // A rollout with a surge has more machines than desired, and counts as scaling down too.
        boolean expected = updatedByTask && (behind || owner.isCondition(ROLLING_OUT, "True"));
        for (String condition : CHANGING) {
            if (owner.isCondition(condition, "True") && !(expected && !condition.equals(REMEDIATING))) {
                return ownerText + " is " + condition;
            }
        }
        Long shown = owner.number("status", "replicas");
        long present = shown == null ? 0 : shown;
        if (desired != null && present != desired && !expected) {
            return ownerText + " has " + present + " machines of " + desired;
        }
        return behind && !expected ? ownerText + " has " + updated + " machines up to date of " + desired : null;
    }

    /**
     * Returns how many members a control plane should have; null if its owner does not say.
     *
     * @param updatedByTask whether the owner itself has begun the machine's upgrade: then its rollout may have begun with
     *     a member more, which stays until the others are upgraded
     */
    public static @Nullable Long expectedMembers(KubeObject owner, boolean updatedByTask) {
        Long desired = owner.number("spec", "replicas");
        Long present = owner.number("status", "replicas");
        return updatedByTask && desired != null && present != null && present > desired ? present : desired;
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

    /** Returns why people hold an object back, or that it is being deleted; null for neither. */
    private static @Nullable String findHold(KubeObject object, String objectText) {
        return findHold(object, objectText, false);
    }

    private static @Nullable String findHold(KubeObject object, String objectText, boolean mayBePaused) {
        if (object.isDeleting()) {
            return objectText + " is being deleted";
        }
        for (String key : HOLDS) {
            if (object.annotation(key) != null && !(mayBePaused && key.equals(AnnotationKeys.PAUSED))) {
                return objectText + " has annotation " + key;
            }
        }
        return null;
    }

    /** Returns that the provider upgrades an object; null if not. {@code flotilla site check} shows the mode. */
    private static @Nullable String findForeignUpgrade(KubeObject object, String objectText, SiteMode mode) {
        return mode != SiteMode.DIRECT && object.annotation(AnnotationKeys.UPGRADE_TO) != null
                ? "foreign: " + objectText + " has annotation " + AnnotationKeys.UPGRADE_TO
                        + ", which is the provider's unless the site's mode is direct"
                : null;
    }
}
