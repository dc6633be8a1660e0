package dev.flotilla.core.fleet.inventory;

import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import org.jspecify.annotations.Nullable;

/**
 * Counts the machines of a cluster: those in its rows, and those in flight that were admitted in it and have left its
 * rows.
 */
public final class ClusterCounter {
    private int inFlight;
    private int intentsInFlight;
    private int controlPlaneInFlight;
    private int controlPlanes;
    private int controlPlanesUnready;
    private int workers;
    private int workersUnavailable;
    private int machineRows;
    private int preparing;
    private long soakUntil;

    private ClusterCounter() {}

    /** Counts the current machines of a cluster. */
    public static ClusterCounts count(ClusterState cluster, MachineView scratch, MachineStatusTable statuses) {
        ClusterCounter counts = new ClusterCounter();
        for (int i = 0; i < cluster.counted(); i++) {
            scratch.moveTo(cluster.member(i));
            boolean inFlight = scratch.inFlight();
            counts.inFlight += inFlight ? 1 : 0;
            counts.preparing += scratch.isPreparing() ? 1 : 0;
            counts.intentsInFlight += inFlight && isForIntent(scratch.attempt()) ? 1 : 0;
            if (scratch.isPresent()) {
                counts.machineRows++;
                counts.soakUntil = Math.max(counts.soakUntil, statuses.soakUntil(scratch.row()));
                counts.addPresent(scratch, inFlight);
            }
        }
        for (int i = 0; i < cluster.departed(); i++) {
            scratch.moveTo(cluster.departed(i));
            boolean controlPlane = scratch.admittedAs() == MachineRole.CONTROL_PLANE;
            counts.controlPlaneInFlight += controlPlane ? 1 : 0;
            counts.workersUnavailable += controlPlane ? 0 : 1;
        }
        return new ClusterCounts(
                counts.inFlight,
                counts.intentsInFlight,
                counts.controlPlaneInFlight,
                counts.controlPlanes,
                counts.controlPlanesUnready,
                counts.workers,
                counts.workersUnavailable,
                counts.machineRows,
                counts.preparing,
                counts.soakUntil);
    }

    /** A machine whose role changed after its admission counts with both roles. */
    private void addPresent(MachineView machine, boolean inFlight) {
        boolean unavailable = machine.unreadable() || !machine.ready();
        boolean controlPlane = machine.isControlPlane();
        MachineRole admitted = machine.admittedAs();
        controlPlaneInFlight += (inFlight && controlPlane) || admitted == MachineRole.CONTROL_PLANE ? 1 : 0;
        workersUnavailable += (!controlPlane && (inFlight || unavailable)) || admitted == MachineRole.WORKER ? 1 : 0;
        if (controlPlane) {
            controlPlanes++;
            controlPlanesUnready += unavailable ? 1 : 0;
        } else {
            workers++;
        }
    }

    static boolean isForIntent(@Nullable UpgradeAttempt attempt) {
        return attempt != null && attempt.rolloutRef() instanceof RolloutRef.IntentRef;
    }
}
