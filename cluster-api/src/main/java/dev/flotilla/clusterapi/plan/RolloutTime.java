package dev.flotilla.clusterapi.plan;

import dev.flotilla.kube.KubeObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rollouts that begin at a time: Cluster API replaces machines for them without a question to the extension. */
record RolloutTime(Instant now) {

    /**
     * Returns why an object is replaced by time; null if it is not.
     *
     * @param owner a KubeadmControlPlane or a MachineDeployment
     * @param created the Machine, or the MachineSet of a MachineDeployment
     */
    @Nullable
    String findReason(KubeObject owner, KubeObject created, KubeObject machine) {
        Instant after = owner.instant("spec", "rollout", "after");
        Instant creation = created.instant("metadata", "creationTimestamp");
        if (after != null && creation != null && !after.isAfter(now) && creation.isBefore(after)) {
            return "spec.rollout.after " + after + " has passed: Cluster API replaces what was made before it";
        }
        Long days = owner.number("spec", "rollout", "before", "certificatesExpiryDays");
        Instant expiry = machine.instant("status", "certificatesExpiryDate");
        return days != null
                        && expiry != null
                        && !expiry.minus(Duration.ofDays(days)).isAfter(now)
                ? "its certificates expire at " + expiry + ", within the " + days
                        + " days of spec.rollout.before.certificatesExpiryDays"
                : null;
    }
}
