package dev.flotilla.simulator.check;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.UpgradeAttempt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cluster and the role of each machine with an open attempt, as its inventory row showed them at the admission. */
final class AttemptMachineSnapshots {
    private final ReferenceFleetState rows;
    private final Map<MachineKey, AdmittedMachine> snapshots = new LinkedHashMap<>();

    AttemptMachineSnapshots(ReferenceFleetState rows) {
        this.rows = rows;
    }

    private record AdmittedMachine(long attempt, ClusterKey cluster, MachineRole role) {}

    void admit(UpgradeAttempt attempt, MachineRow machine) {
        snapshots.put(machine.key(), new AdmittedMachine(attempt.id(), machine.clusterKey(), machine.role()));
    }

    /**
     * Machines in flight that were admitted in a cluster, and whose rows no longer show the cluster or role of the
     * admission.
     */
    List<MachineKey> departed(ClusterKey cluster) {
        List<MachineKey> found = departed(cluster, MachineRole.CONTROL_PLANE);
        found.addAll(departed(cluster, MachineRole.WORKER));
        return found;
    }

    /** Machines in flight that were admitted in a cluster with a role, and whose rows no longer show both. */
    List<MachineKey> departed(ClusterKey cluster, MachineRole role) {
        List<MachineKey> found = new ArrayList<>();
        for (MachineStatus status : rows.statuses()) {
            UpgradeAttempt open = status.attempt();
            AdmittedMachine known = open == null ? null : snapshots.get(status.key());
            if (open != null
                    && known != null
                    && known.attempt() == open.id()
                    && known.role() == role
                    && known.cluster().equals(cluster)
                    && !isShown(rows.machine(status.key()), cluster, role)) {
                found.add(status.key());
            }
        }
        return found;
    }

    private static boolean isShown(@Nullable MachineRow row, ClusterKey cluster, MachineRole role) {
        return row != null && row.role() == role && row.clusterKey().equals(cluster);
    }
}
