package dev.flotilla.core.fleet;

import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A machine that a rollout might start now: what the gates are asked about. Aimed anew for each, never kept. */
public final class Candidate {
    private final FleetState state;
    private final Machine machine;
    private @Nullable Share share;
    private Standing standing = Standing.NONE;
    private Instant now = Instant.EPOCH;

    Candidate(FleetState state, MachineTable table) {
        this.state = state;
        this.machine = new Machine(table, -1);
    }

    Candidate aim(Share at, int row, Instant instant) {
        share = at;
        machine.row = row;
        now = instant;
        standing = at.rollout.standing(at.cluster, machine);
        return this;
    }

    public FleetState state() {
        return state;
    }

    public Share share() {
        if (share == null) {
            throw new IllegalStateException("not aimed at a machine yet");
        }
        return share;
    }

    public Rollout rollout() {
        return share().rollout;
    }

    public Cluster cluster() {
        return share().cluster;
    }

    public Machine machine() {
        return machine;
    }

    public Instant now() {
        return now;
    }

    public Standing standing() {
        return standing;
    }

    /** Whether it belongs to a control plane that has been begun, and so must not be left waiting. */
    public boolean finishesControlPlane() {
        return machine.isControlPlane()
                && share().halfDone()
                && (rollout() instanceof CampaignRollout || isBegun(driver()));
    }

    /** What one annotation asks of a control plane is not the rest of what another has asked. */
    private boolean isBegun(RolloutRef rolloutRef) {
        for (Machine other : state.machines(cluster())) {
            if (other.isControlPlane() && other.entry(rolloutRef) != null) {
                return true;
            }
        }
        return false;
    }

    /** What its start takes out of a failure budget that is not taken yet. */
    public int need() {
        if (standing == Standing.FAILED || finishesControlPlane()) {
            return 0;
        }
        return machine.isControlPlane() ? share().controlPlaneUntried() : 1;
    }

    /** How long it and what must follow it at once is likely to take, in milliseconds: the rest of a control plane goes with it. */
    public long takes() {
        long each = state.takes(rollout(), machine);
        return machine.isControlPlane() ? each * Math.max(1, share().controlPlaneLeft()) : each;
    }

    int rank() {
        if (finishesControlPlane()) {
            return 0;
        }
        return standing == Standing.FAILED ? 1 : 2;
    }

    public RolloutRef driver() {
        RolloutRef rolloutRef = rollout().driverOf(machine);
        if (rolloutRef == null) {
            throw new IllegalStateException(machine.key() + " is asked to do nothing");
        }
        return rolloutRef;
    }

    public UpgradeTarget target() {
        UpgradeTarget target = rollout().targetOf(machine);
        if (target == null) {
            throw new IllegalStateException(machine.key() + " is asked to do nothing");
        }
        return target;
    }

    /** The version that its target is; unknown where nobody says. */
    public int targetVersion() {
        return rollout().targetVersion(machine);
    }

    /**
     * The rollout that has the first word about the machine; null where that is nobody who is still there. Whoever has begun
     * a control plane has it until it is done: nobody else may leave it half way.
     */
    public @Nullable Rollout holder() {
        UpgradeAttempt attempt = machine.attempt();
        Rollout first = null;
        for (Share other : share().cluster.shares) {
            Standing there = other == share ? standing : other.rollout.standing(other.cluster, machine);
            if (attempt != null ? there.inFlight() : finishes(other)) {
                return other.rollout;
            }
            if (first == null && attempt == null && there.waits() && other.rollout.claiming) {
                first = other.rollout;
            }
        }
        return first;
    }

    private boolean finishes(Share other) {
        return machine.isControlPlane() && other.halfDone() && !other.rollout.over();
    }
}
