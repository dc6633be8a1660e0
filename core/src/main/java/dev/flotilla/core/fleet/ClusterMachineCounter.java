package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/** Counts the machines of a cluster anew: those of its rows, and those in flight that were admitted in it and have left them. */
final class ClusterMachineCounter {
    private ClusterMachineCounter() {}

    static void recount(ClusterState cluster, MachineView look, MachineStatusTable statuses) {
        clear(cluster);
        for (int i = 0; i < cluster.counted(); i++) {
            look.row = cluster.members[i];
            boolean flying = look.inFlight();
            cluster.inFlight += flying ? 1 : 0;
            cluster.intentsInFlight += flying && isForIntent(look.attempt()) ? 1 : 0;
            if (look.isPresent()) {
                cluster.machineRows++;
                cluster.soakUntil = Math.max(cluster.soakUntil, statuses.soakUntil(look.row));
                present(cluster, look, flying);
            }
        }
        for (int i = 0; i < cluster.departed(); i++) {
            look.row = cluster.departed(i);
            boolean controlPlane = look.admittedAs() == MachineRole.CONTROL_PLANE;
            cluster.controlPlaneInFlight += controlPlane ? 1 : 0;
            cluster.workersUnavailable += controlPlane ? 0 : 1;
        }
    }

    private static void clear(ClusterState cluster) {
        cluster.inFlight = 0;
        cluster.intentsInFlight = 0;
        cluster.controlPlaneInFlight = 0;
        cluster.controlPlanes = 0;
        cluster.controlPlanesUnready = 0;
        cluster.workers = 0;
        cluster.workersUnavailable = 0;
        cluster.machineRows = 0;
        cluster.soakUntil = 0;
    }

    /** A machine whose role has changed since its attempt was admitted counts as both. */
    private static void present(ClusterState cluster, MachineView look, boolean flying) {
        boolean unavailable = look.unreadable() || !look.ready();
        boolean controlPlane = look.isControlPlane();
        MachineRole admitted = look.admittedAs();
        cluster.controlPlaneInFlight += (flying && controlPlane) || admitted == MachineRole.CONTROL_PLANE ? 1 : 0;
        cluster.workersUnavailable +=
                (!controlPlane && (flying || unavailable)) || admitted == MachineRole.WORKER ? 1 : 0;
        if (controlPlane) {
            cluster.controlPlanes++;
            cluster.controlPlanesUnready += unavailable ? 1 : 0;
        } else {
            cluster.workers++;
        }
    }

    static boolean isForIntent(@Nullable UpgradeAttempt attempt) {
        return attempt != null && attempt.rolloutRef() instanceof RolloutRef.IntentRef;
    }
}
