package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.kube.NodeUpgradeStage;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/**
 * What one attempt asks of its NodeUpgrade, or a preparation.
 *
 * @param stage null if the NodeUpgrade prepares and upgrades
 */
public record NodeUpgradeAttempt(
        MachineKey machine,
        String machineUid,
        ClusterKey cluster,
        String node,
        MachineRole role,
        UpgradeTarget target,
        long attemptId,
        @Nullable NodeUpgradeStage stage) {
    /** Returns the name of the object. */
    public String objectName() {
        return NodeUpgradeName.of(machine, machineUid, target, attemptId);
    }
}
