package dev.flotilla.core.fleet.rollout;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.row.MachinePreparation;
import dev.flotilla.schemas.row.MachineRole;

/** The counts of a rollout's machines in one cluster. */
public final class BacklogCounts {
    static final BacklogCounts NONE = new BacklogCounts();

    private int total;
    private int remaining;
    private int atTarget;
    private int skipped;
    private int quarantined;
    private int inFlight;
    private int budgetUsed;
    private int failed;
    private int failedAndDeleted;
    private int upgraded;
    private int preparing;
    private int prepared;
    private int unprepared;
    private int controlPlaneLeft;
    private int controlPlaneUntried;
    private int workersLeft;
    private boolean controlPlaneStarted;
    private boolean controlPlaneQuarantined;
    private int oldestControlPlane = KubernetesVersion.UNKNOWN;
    private int oldestWorker = KubernetesVersion.UNKNOWN;
    private int newestWorker = KubernetesVersion.UNKNOWN;

    /** Counts a machine of a cluster by its progress in a rollout. */
    public void add(ClusterState cluster, BacklogRules rules, MachineView machine, MachineProgressState state) {
        if (state != MachineProgressState.NONE) {
            addMember(machine.isPresent(), state);
            if (machine.isPresent()) {
                addRemaining(cluster, rules, machine, state);
            }
        }
        addVersion(rules.provesTargetVersion(), machine, state);
    }

    /** Counts a machine that has not ended by its preparation for the rollout's target. */
    public void addPreparation(MachinePreparation preparation) {
        switch (preparation.progress()) {
            case MachinePreparation.PreparationProgress.Preparing progress -> preparing++;
            case MachinePreparation.PreparationProgress.Prepared progress -> prepared++;
            case MachinePreparation.PreparationProgress.PreparationFailed progress -> unprepared++;
        }
    }

    private void addMember(boolean present, MachineProgressState state) {
        total += present ? 1 : 0;
        inFlight += state.isInFlight() ? 1 : 0;
        budgetUsed += state.countsAsFailed() || state.isInFlight() ? 1 : 0;
        failed += state.countsAsFailed() ? 1 : 0;
        failedAndDeleted += state.countsAsFailed() && !present ? 1 : 0;
        upgraded += state == MachineProgressState.SUCCEEDED ? 1 : 0;
        atTarget += state.isAtTarget() ? 1 : 0;
        skipped += state == MachineProgressState.SKIPPED ? 1 : 0;
        quarantined += present && state == MachineProgressState.QUARANTINED ? 1 : 0;
        remaining += state.hasEnded() ? 0 : 1;
    }

    private void addRemaining(
            ClusterState cluster, BacklogRules rules, MachineView machine, MachineProgressState state) {
        if (!machine.isControlPlane()) {
            workersLeft += state.hasEnded() ? 0 : 1;
            return;
        }
        controlPlaneLeft += state.hasEnded() ? 0 : 1;
        controlPlaneUntried += state == MachineProgressState.NOT_STARTED ? 1 : 0;
        controlPlaneQuarantined |= state == MachineProgressState.QUARANTINED || rules.leftBehind(cluster, machine);
        controlPlaneStarted |= state == MachineProgressState.SUCCEEDED
                || state.isInFlight()
                || state.countsAsFailed()
                || (state == MachineProgressState.UNCHANGED && rules.hasFailedAttempts(machine));
    }

    /**
     * A success proves a newer version than the inventory shows. For intents that holds only for their own target,
     * because the machines of a cluster may have different targets.
     */
    private void addVersion(boolean targetProved, MachineView machine, MachineProgressState state) {
        if (!machine.isPresent()) {
            return;
        }
        boolean shown = !state.isAtTarget() || !targetProved;
        if (!machine.isControlPlane()) {
            oldestWorker = KubernetesVersion.older(oldestWorker, machine.version());
            newestWorker = shown ? KubernetesVersion.newer(newestWorker, machine.version()) : newestWorker;
        } else if (shown) {
            oldestControlPlane = KubernetesVersion.older(oldestControlPlane, machine.version());
        }
    }

    /**
     * Counts a control-plane machine in flight that has left the cluster's rows: its control plane is started and
     * unfinished.
     */
    public void addDeparted(MachineView machine, MachineProgressState state) {
        if (machine.admittedAs() == MachineRole.CONTROL_PLANE && state.isInFlight()) {
            controlPlaneStarted = true;
            controlPlaneLeft++;
        }
    }

    /** Whether the control plane is half upgraded: started and not finished. */
    boolean isControlPlaneHalfUpgraded() {
        return controlPlaneStarted && controlPlaneLeft > 0;
    }

    /** Machines of the failure budget that a half-upgraded control plane reserves. */
    int reserved() {
        return isControlPlaneHalfUpgraded() ? controlPlaneUntried : 0;
    }

    /** Machines of the cluster that are in the rollout. */
    public int total() {
        return total;
    }

    public int remaining() {
        return remaining;
    }

    int atTarget() {
        return atTarget;
    }

    public int skipped() {
        return skipped;
    }

    int quarantined() {
        return quarantined;
    }

    public int inFlight() {
        return inFlight;
    }

    int budgetUsed() {
        return budgetUsed;
    }

    int failed() {
        return failed;
    }

    int failedAndDeleted() {
        return failedAndDeleted;
    }

    int upgraded() {
        return upgraded;
    }

    /** Machines with a command to prepare them out. */
    int preparing() {
        return preparing;
    }

    /** Machines that are prepared and have not ended. */
    int prepared() {
        return prepared;
    }

    /** Machines whose last preparation failed and that have not ended. */
    int unprepared() {
        return unprepared;
    }

    int controlPlaneLeft() {
        return controlPlaneLeft;
    }

    int controlPlaneUntried() {
        return controlPlaneUntried;
    }

    boolean controlPlaneQuarantined() {
        return controlPlaneQuarantined;
    }

    int oldestControlPlane() {
        return oldestControlPlane;
    }

    int oldestWorker() {
        return oldestWorker;
    }

    int newestWorker() {
        return newestWorker;
    }

    /** How many attempts follow one another if this many workers may be upgraded at once. */
    int chain(int parallelWorkers) {
        return controlPlaneLeft + (workersLeft + parallelWorkers - 1) / parallelWorkers;
    }
}
