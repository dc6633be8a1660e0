package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether what owns a machine, as it is now, leaves the machine alone. */
public final class OwnerPreconditions {
    private static final List<String> CHANGING = List.of("RollingOut", "ScalingUp", "ScalingDown", "Remediating");

    private OwnerPreconditions() {}

    /** Why the machine must not be touched; null where nothing speaks against it. */
    public static @Nullable String findProblem(KubeObject owner, SiteMode trigger) {
        String the = "its owner " + owner.name();
        String people = WorkerAnnotationKeys.findHold(owner, the);
        if (people != null) {
            return people;
        }
        if (trigger != SiteMode.DIRECT && owner.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
            return "foreign: " + the + " bears " + WorkerAnnotationKeys.UPGRADE_TO + WorkerAnnotationKeys.THEIRS;
        }
        for (String condition : CHANGING) {
            if (owner.isCondition(condition, "True")) {
                return the + " is " + condition;
            }
        }
        Long wanted = owner.number("spec", "replicas");
        Long there = owner.number("status", "replicas");
        if (wanted != null && !Objects.equals(wanted, there == null ? Long.valueOf(0) : there)) {
            return the + " has " + (there == null ? 0 : there) + " machines of " + wanted;
        }
        Long current = owner.number("status", "upToDateReplicas");
        Long updated = current == null ? owner.number("status", "updatedReplicas") : current;
        return wanted != null && updated != null && updated < wanted
                ? the + " has " + updated + " machines up to date of " + wanted
                : null;
    }
}
