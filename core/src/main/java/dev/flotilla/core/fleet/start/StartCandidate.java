package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.rollout.ClusterBacklogTable;
import dev.flotilla.core.fleet.rollout.Rollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeAttempt;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A machine that a rollout might start now, as gates see it. The object is reused for each machine and must not be
 * kept.
 */
public final class StartCandidate {
    private final FleetStateReader state;
    private final ClusterBacklogTable backlogs;
    private final MachineView machine;

    /** Shows other machines of the cluster, one after another. */
    private final MachineView sibling;

    private @Nullable ClusterBacklog backlog;
    private MachineProgressState progressState = MachineProgressState.NONE;
    private Instant now = Instant.EPOCH;

    StartCandidate(FleetStateReader state, ClusterBacklogTable backlogs, MachineTable table) {
        this.state = state;
        this.backlogs = backlogs;
        this.machine = new MachineView(table, -1);
        this.sibling = new MachineView(table, -1);
    }

    StartCandidate reset(ClusterBacklog at, int row, Instant instant) {
        backlog = at;
        machine.moveTo(row);
        now = instant;
        progressState = at.rollout().progressStateOf(at.cluster(), machine);
        return this;
    }

    public FleetStateReader state() {
        return state;
    }

    public ClusterBacklog backlog() {
        if (backlog == null) {
            throw new IllegalStateException("not aimed at a machine yet");
        }
        return backlog;
    }

    public Rollout rollout() {
        return backlog().rollout();
    }

    public ClusterState cluster() {
        return backlog().cluster();
    }

    public MachineView machine() {
        return machine;
    }

    public Instant now() {
        return now;
    }

    public MachineProgressState progressState() {
        return progressState;
    }

    /** Whether it belongs to a half-upgraded control plane, which must be finished. */
    public boolean finishesControlPlane() {
        return machine.isControlPlane()
                && backlog().isControlPlaneHalfUpgraded()
                && (rollout() instanceof CampaignRollout || hasStartedControlPlane(rolloutRef()));
    }

    /** Whether this rollout has started the control plane: each intent counts on its own. */
    private boolean hasStartedControlPlane(RolloutRef rolloutRef) {
        for (MachineView other : state.machines(cluster())) {
            if (other.isControlPlane() && other.entry(rolloutRef) != null) {
                return true;
            }
        }
        return false;
    }

    /** How much of the failure budget its start needs in addition. */
    public int budgetNeeded() {
        if (progressState == MachineProgressState.AWAITING_RETRY || finishesControlPlane()) {
            return 0;
        }
        return machine.isControlPlane() ? backlog().controlPlaneUntried() : 1;
    }

    /**
     * The expected duration of the attempt and of what must follow at once, the rest of a control plane, in
     * milliseconds.
     */
    public long expectedDurationMillis() {
        long each = state.expectedDurationMillis(rollout(), machine);
        return machine.isControlPlane() ? each * Math.max(1, backlog().controlPlaneLeft()) : each;
    }

    int rank() {
        if (finishesControlPlane()) {
            return 0;
        }
        return progressState == MachineProgressState.AWAITING_RETRY ? 1 : 2;
    }

    public RolloutRef rolloutRef() {
        RolloutRef rolloutRef = rollout().rolloutRefOf(machine);
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

    /** The UpgradeTask's intent that names the template of its NodeUpgrade; null if the provider's template is used. */
    public @Nullable UpgradeIntent intentWithUpgrader() {
        UpgradeIntent intent = rollout() instanceof SiteIntentsRollout intents ? intents.intentOf(machine) : null;
        return intent == null || intent.upgrader() == null ? null : intent;
    }

    /** The template of its NodeUpgrade; null if the policy names none for it, or not the one that its UpgradeTask names. */
    public @Nullable NodeUpgradeTemplateRef nodeUpgradeTemplate() {
        UpgradeIntent intent = intentWithUpgrader();
        NodeUpgraderRef upgrader = intent == null ? null : intent.upgrader();
        return upgrader == null ? machine.nodeUpgradeTemplate() : machine.findTemplate(upgrader);
    }

    /** The version of its target; unknown if not known. */
    public int targetVersion() {
        return rollout().targetVersion(machine);
    }

    /**
     * The rollout that claims the machine; null for none. A rollout that has started a control plane keeps it until it
     * is finished, so that no other leaves it half upgraded.
     */
    public @Nullable Rollout claimingRollout() {
        UpgradeAttempt attempt = machine.attempt();
        Rollout first = null;
        for (ClusterBacklog claimant : backlogs.of(cluster())) {
            MachineProgressState there = claimant == backlog
                    ? progressState
                    : claimant.rollout().progressStateOf(claimant.cluster(), machine);
            if (attempt == null && isHeldForClusterUpgrade(claimant.rollout())) {
                continue;
            }
            if (attempt != null ? there.isInFlight() : finishes(claimant) && !isDoneFor(claimant.rollout())) {
                return claimant.rollout();
            }
            if (first == null
                    && attempt == null
                    && there.isWaiting()
                    && claimant.rollout().mayHaveMembers()
                    && canBeUpgradedFor(claimant.rollout())) {
                first = claimant.rollout();
            }
        }
        return first;
    }

    /**
     * Whether it is an intent's machine that the campaign which has opened its cluster has upgraded: Cluster API waits for the end of the
     * intent before it asks for the next machine.
     */
    private boolean isDoneFor(Rollout campaign) {
        return rollout() instanceof SiteIntentsRollout intents
                && cluster().upgrade() != null
                && campaign instanceof CampaignRollout opened
                && ClusterUpgradeNeed.isOpenedBy(cluster(), opened)
                && ClusterUpgradeNeed.isUpgraded(cluster(), machine, intents.intentOf(machine));
    }

    /** Whether it is an intent's machine that the campaign admits which has opened its cluster. */
    public boolean isHeldForClusterUpgrade() {
        return isHeldForClusterUpgrade(rollout());
    }

    private boolean isHeldForClusterUpgrade(Rollout rollout) {
        return rollout instanceof SiteIntentsRollout intents
                && cluster().upgrade() != null
                && ClusterUpgradeNeed.isHeld(state, cluster(), machine, intents.intentOf(machine));
    }

    /**
     * Whether its provider can apply a rollout's target, and the campaign may have Cluster API update it: a rollout that can never start it
     * keeps it from no other.
     */
    private boolean canBeUpgradedFor(Rollout rollout) {
        UpgradeTarget target = rollout.targetOf(machine);
        return target != null
                && machine.provider().canApply(target)
                && (!(rollout instanceof CampaignRollout campaign)
                        || ClusterUpgradeNeed.canBeRequested(cluster(), campaign, machine, sibling));
    }

    private boolean finishes(ClusterBacklog other) {
        return machine.isControlPlane()
                && other.isControlPlaneHalfUpgraded()
                && !other.rollout().isOver();
    }
}
