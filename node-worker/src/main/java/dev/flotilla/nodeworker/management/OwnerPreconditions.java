package dev.flotilla.nodeworker.management;

import dev.flotilla.kube.KubeObject;
import dev.flotilla.schemas.row.SiteMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks whether the owner of a machine leaves the machine alone. */
public final class OwnerPreconditions {
    private static final List<String> CHANGING = List.of("RollingOut", "ScalingUp", "ScalingDown", "Remediating");

    private OwnerPreconditions() {}

    /** Returns why the machine must not be upgraded; null if nothing prevents it. */
    public static @Nullable String findProblem(KubeObject owner, SiteMode trigger) {
        String ownerText = "its owner " + owner.name();
        String hold = WorkerAnnotationKeys.findHold(owner, ownerText);
        if (hold != null) {
            return hold;
        }
        if (trigger != SiteMode.DIRECT && owner.annotation(WorkerAnnotationKeys.UPGRADE_TO) != null) {
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
}
