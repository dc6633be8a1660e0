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
        return required(rollout().rolloutRefOf(machine));
    }

    /** The target that its machine is prepared for: that of the rollout, whatever Cluster API asks for later. */
    public UpgradeTarget preparedTarget() {
        return required(rollout().targetOf(machine));
    }

    /**
     * The target of its attempt. If Cluster API has asked for the machine's update for a campaign, it is what Cluster API asks for: the
     * version and all other changes of the machine, which are one upgrade.
     */
    public UpgradeTarget target() {
        UpgradeIntent request = clusterApiRequest();
        return request != null
                        && request.target() instanceof UpgradeTarget.MachineSpecHash
                        && machine.provider().canApply(request.target())
                ? request.target()
                : required(rollout().targetOf(machine));
    }

    private <T> T required(@Nullable T wanted) {
        if (wanted == null) {
            throw new IllegalStateException(machine.key() + " is asked to do nothing");
        }
        return wanted;
    }

    /** The UpgradeTask's intent that names the template of its NodeUpgrade; null if the provider's template is used. */
    public @Nullable UpgradeIntent intentWithUpgrader() {
        UpgradeIntent intent =
                rollout() instanceof SiteIntentsRollout intents ? intents.intentOf(machine) : clusterApiRequest();
        return intent == null || intent.upgrader() == null ? null : intent;
    }

    /** The intent with which Cluster API asks for the machine's update, for the campaign that has opened its cluster; null for none. */
    private @Nullable UpgradeIntent clusterApiRequest() {
        return rollout() instanceof CampaignRollout campaign
                ? ClusterUpgradeNeed.requestFor(state, cluster(), campaign, machine)
                : null;
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
            if (attempt != null
                    ? there.isInFlight()
                    : finishes(claimant) && !isAwaitedBy(claimant.rollout()) && !isOpenForAnother(claimant.rollout())) {
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
     * Whether it is an intent's machine for which the campaign that has opened its cluster has to wait: Cluster API asks for the next
     * machine after the end of the intent, which the campaign has upgraded already, or which is to another version.
     */
    private boolean isAwaitedBy(Rollout campaign) {
        return rollout() instanceof SiteIntentsRollout intents
                && cluster().upgrade() != null
                && campaign instanceof CampaignRollout opened
                && ClusterUpgradeNeed.isOpenedBy(cluster(), opened)
                && ClusterUpgradeNeed.isAwaited(cluster(), machine, intents.intentOf(machine));
    }

    /** Whether another campaign has opened its cluster: one that cannot start the machine before that has ended keeps it from nobody. */
    private boolean isOpenForAnother(Rollout rollout) {
        return rollout instanceof CampaignRollout campaign
                && cluster().upgrade() != null
                && !ClusterUpgradeNeed.isOpenedBy(cluster(), campaign)
                && ClusterUpgradeNeed.mustBeRequested(cluster(), campaign, machine);
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
                        || ClusterUpgradeNeed.canBeRequested(state, cluster(), campaign, machine, sibling));
    }

    private boolean finishes(ClusterBacklog other) {
        return machine.isControlPlane()
                && other.isControlPlaneHalfUpgraded()
                && !other.rollout().isOver();
    }
}
