package dev.flotilla.nodeworker.nodeupgrade;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.UpgradeTarget;

/** What one attempt asks of its NodeUpgrade. */
public record NodeUpgradeAttempt(
        MachineKey machine,
        String machineUid,
        ClusterKey cluster,
        String node,
        MachineRole role,
        UpgradeTarget target,
        long attemptId) {
    /** Returns the name of the object. */
    public String objectName() {
        return NodeUpgradeName.of(machine, machineUid, target, attemptId);
    }
}
