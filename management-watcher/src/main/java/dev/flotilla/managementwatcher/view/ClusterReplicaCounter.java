package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.MachineRole;
import java.util.Collection;

/** Counts how many machines a cluster should have. */
final class ClusterReplicaCounter {
    private ClusterReplicaCounter() {}

    /**
     * Returns how many machines of a role a cluster should have: the replicas of its owners, or without owners the
     * machines that exist.
     */
    static int countReplicas(
            ClusterKey cluster, MachineRole role, Collection<OwnerView> owners, Collection<MachineView> machines) {
        int replicas = 0;
        boolean owned = false;
        for (OwnerView owner : owners) {
            boolean leads = owner.key().kind() == OwnerKind.CONTROL_PLANE;
            if (owner.topLevel()
                    && leads == (role == MachineRole.CONTROL_PLANE)
                    && owner.key().kind() != OwnerKind.MACHINE_POOL
                    && owner.cluster().equals(cluster.name())
                    && owner.key().namespace().equals(cluster.namespace())) {
                replicas += owner.replicas();
                owned = true;
            }
        }
        return owned
                ? replicas
                : (int) machines.stream()
                        .filter(machine -> machine.role() == role
                                && machine.cluster().equals(cluster.name())
                                && machine.key().namespace().equals(cluster.namespace()))
                        .count();
    }
}
