package dev.flotilla.schemas.row;

import org.jspecify.annotations.Nullable;

/**
 * A machine as it was when an attempt was admitted. Until the attempt ends, it counts for this cluster and role and keeps its
 * provider, even if the inventory row or the policy changes.
 *
 * @param cluster the cluster's name, in the machine's own namespace
 * @param template the template of its NodeUpgrade; only for {@link UpgradeProvider#NODE_UPGRADE}
 */
public record AttemptMachineSnapshot(
        String cluster,
        MachineRole role,
        UpgradeProvider provider,
        @Nullable NodeUpgradeTemplateRef template) {

    /** A machine that k8sd upgrades. */
    public AttemptMachineSnapshot(String cluster, MachineRole role) {
        this(cluster, role, UpgradeProvider.K8SD, null);
    }
}
