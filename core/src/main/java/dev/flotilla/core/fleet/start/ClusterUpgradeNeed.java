package dev.flotilla.core.fleet.start;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.id.OwnerKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterApiRule.UncoveredChange;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which machines Cluster API updates in place, and which version fields of a cluster a campaign has to change for them: that of the
 * topology, otherwise that of the control plane, and those of MachineDeployments once the control plane has the version.
 */
public final class ClusterUpgradeNeed {
    private ClusterUpgradeNeed() {}

    /** The field whose change has Cluster API update a machine; null if it does not update the machine in place. */
    public static @Nullable VersionField fieldOf(ClusterState cluster, MachineView machine) {
        ClusterRow row = cluster.row();
        if (row == null || row.versionFields().isEmpty() || !machine.isPresent()) {
            return null;
        }
        VersionField topology = null;
        VersionField own = null;
        for (VersionField field : row.versionFields()) {
            switch (field.kind()) {
                case TOPOLOGY -> topology = field;
                case CONTROL_PLANE -> own = machine.isControlPlane() ? field : own;
                case MACHINE_DEPLOYMENT -> own = isOwnedBy(machine, field) ? field : own;
            }
        }
        return own != null && topology != null ? topology : own;
    }

    private static boolean isOwnedBy(MachineView machine, VersionField field) {
        OwnerKey owner = machine.isControlPlane() ? null : machine.owner();
        return owner != null
                && owner.kind() == OwnerKind.MACHINE_DEPLOYMENT
                && owner.name().equals(field.name());
    }

    /** Whether Cluster API has to ask for a machine's update before a campaign may start it. */
    public static boolean mustBeRequested(ClusterState cluster, CampaignRollout campaign, MachineView machine) {
        String version = campaign.release();
        return version != null
                && (fieldOf(cluster, machine) != null || hasLostFields(cluster))
                && !shows(machine, version);
    }

    /** Whether a campaign has opened a cluster and its watcher shows no fields any more, such as after the extension was removed. */
    private static boolean hasLostFields(ClusterState cluster) {
        ClusterRow row = cluster.row();
        return cluster.upgrade() != null && (row == null || row.versionFields().isEmpty());
    }

    /** Whether Cluster API may come to ask for a machine's update for a campaign, or does not have to. */
    static boolean canBeRequested(
            FleetStateReader state,
            ClusterState cluster,
            CampaignRollout campaign,
            MachineView machine,
            MachineView scratch) {
        if (!mustBeRequested(cluster, campaign, machine)) {
            return true;
        }
        VersionField field = fieldOf(cluster, machine);
        ClusterUpgrade upgrade = cluster.upgrade();
        if (field == null || isTaken(state, cluster, campaign)) {
            return false;
        }
        return (upgrade != null && isOpenedBy(cluster, campaign) && upgrade.changeOf(field) != null)
                || problemOf(cluster, campaign, field, scratch) == null;
    }

    /** Whether a machine shows a version with its suffix: v1.36.3+k3s1 and v1.36.3+k3s2 are two versions to Cluster API. */
    private static boolean shows(MachineView machine, String version) {
        return version.equals(machine.kubeletVersion());
    }

    /** Whether Cluster API has asked for a machine's update to a version: an UpgradeTask requests it. */
    public static boolean isRequested(@Nullable UpgradeIntent intent, MachineView machine, String version) {
        return intent != null
                && intent.task() != null
                && machine.isUid(intent.uid())
                && version.equals(requestedVersion(intent));
    }

    /**
     * The intent with which Cluster API asks for a machine's update, for a campaign that has opened its cluster; null for none, or if the
     * machine is already what it asks for.
     */
    static @Nullable UpgradeIntent requestFor(
            FleetStateReader state, ClusterState cluster, CampaignRollout campaign, MachineView machine) {
        String version = campaign.release();
        // Most clusters are opened by nobody, and a lookup of the intent makes the machine's key.
        if (version == null || !isOpenedBy(cluster, campaign)) {
            return null;
        }
        UpgradeIntent intent = state.intent(machine.key());
        if (intent == null || !isRequested(intent, machine, version)) {
            return null;
        }
        RolloutEntry entry = machine.entry(SiteIntentsRollout.rolloutRefFor(intent));
        return entry != null && entry.outcome().isAtTarget() ? null : intent;
    }

    private static @Nullable String requestedVersion(UpgradeIntent intent) {
        return intent.target() instanceof UpgradeTarget.KubernetesRelease release
                ? release.version()
                : intent.expectedVersion();
    }

    /**
     * Whether the campaign that has opened the cluster admits an intent's machine: until it has upgraded the machine, the intent alone
     * does not start it, even after the campaign was paused or aborted.
     */
    static boolean isHeld(
            FleetStateReader state, ClusterState cluster, MachineView machine, @Nullable UpgradeIntent intent) {
        ClusterUpgrade upgrade = cluster.upgrade();
        if (upgrade == null || !isRequested(intent, machine, upgrade.version()) || isAtTarget(machine, upgrade)) {
            return false;
        }
        VersionField field = fieldOf(cluster, machine);
        boolean isSelected = state.rollout(upgrade.campaign()) instanceof CampaignRollout campaign
                && campaign.progressStateOf(cluster, machine) != MachineProgressState.NONE;
        return field == null ? isSelected && hasLostFields(cluster) : isSelected || upgrade.changeOf(field) != null;
    }

    /** Whether the campaign that has opened the cluster waits for the end of a task: it has upgraded its machine, or has another version. */
    static boolean isAwaited(ClusterState cluster, MachineView machine, @Nullable UpgradeIntent intent) {
        ClusterUpgrade upgrade = cluster.upgrade();
        return upgrade != null
                && intent != null
                && intent.task() != null
                && machine.isUid(intent.uid())
                && (!isRequested(intent, machine, upgrade.version()) || isAtTarget(machine, upgrade));
    }

    private static boolean isAtTarget(MachineView machine, ClusterUpgrade upgrade) {
        RolloutEntry entry = machine.entry(upgrade.campaign());
        return entry != null && entry.outcome().isAtTarget();
    }

    /** Whether a campaign has opened a cluster. */
    public static boolean isOpenedBy(ClusterState cluster, CampaignRollout campaign) {
        ClusterUpgrade upgrade = cluster.upgrade();
        return upgrade != null && upgrade.campaign().equals(campaign.ref());
    }

    /**
     * Whether another campaign has opened a cluster. One that runs and has no changed field there must not keep the cluster from a campaign
     * that goes on, unless it admits a machine to another version: the machine's task would start it by itself.
     */
    public static boolean isTaken(FleetStateReader state, ClusterState cluster, CampaignRollout campaign) {
        ClusterUpgrade upgrade = cluster.upgrade();
        return upgrade != null
                && !isOpenedBy(cluster, campaign)
                && (upgrade.hasChanges()
                        || !(state.rollout(upgrade.campaign()) instanceof CampaignRollout holder)
                        || holder.status().state() != CampaignState.RUNNING
                        || (!upgrade.version().equals(campaign.release()) && holdsAny(state, cluster)));
    }

    private static boolean holdsAny(FleetStateReader state, ClusterState cluster) {
        for (MachineView machine : state.machines(cluster)) {
            if (isHeld(state, cluster, machine, state.intent(machine.key()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a campaign has changed a field of a cluster, so that the cluster takes a slot of the caps already. */
    public static boolean hasSlot(ClusterState cluster) {
        ClusterUpgrade upgrade = cluster.upgrade();
        return upgrade != null && upgrade.hasChanges();
    }

    /** The fields that a campaign has to change next in a cluster, which no problem forbids. */
    public static List<VersionField> nextFields(
            FleetStateReader state, ClusterState cluster, CampaignRollout campaign, MachineView scratch) {
        ClusterRow row = cluster.row();
        ClusterUpgrade upgrade = cluster.upgrade();
        String version = campaign.release();
        if (row == null || row.versionFields().isEmpty() || version == null || isTaken(state, cluster, campaign)) {
            return List.of();
        }
        boolean controlPlaneDone = isControlPlaneAt(cluster, version, scratch);
        List<VersionField> next = new ArrayList<>(1);
        for (VersionField field : row.versionFields()) {
            boolean isItsTurn = field.kind() != VersionFieldKind.MACHINE_DEPLOYMENT || controlPlaneDone;
            if (isItsTurn
                    && (upgrade == null || upgrade.changeOf(field) == null)
                    && hasWaiting(cluster, campaign, field, scratch)
                    && problemOf(cluster, campaign, field, scratch) == null) {
                next.add(field);
            }
        }
        return next;
    }

    /** Whether no control-plane machine of a cluster shows an older version, or the same one with another suffix. */
    private static boolean isControlPlaneAt(ClusterState cluster, String version, MachineView scratch) {
        int target = KubernetesVersion.parse(version);
        for (int i = 0; i < cluster.size(); i++) {
            scratch.moveTo(cluster.member(i));
            if (scratch.isControlPlane()
                    && (KubernetesVersion.isOlder(scratch.version(), target)
                            || (scratch.version() == target && !shows(scratch, version)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasWaiting(
            ClusterState cluster, CampaignRollout campaign, VersionField field, MachineView scratch) {
        for (int i = 0; i < cluster.size(); i++) {
            scratch.moveTo(cluster.member(i));
            if (isWaitingFor(cluster, campaign, field, scratch)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a machine waits until a field has changed. */
    static boolean isWaitingFor(
            ClusterState cluster, CampaignRollout campaign, VersionField field, MachineView machine) {
        return field.equals(fieldOf(cluster, machine))
                && campaign.progressStateOf(cluster, machine).isWaiting()
                && mustBeRequested(cluster, campaign, machine);
    }

    /** Why a campaign must not change a field; null if it may. */
    public static @Nullable String problemOf(
            ClusterState cluster, CampaignRollout campaign, VersionField field, MachineView scratch) {
        String version = campaign.release();
        ClusterRow row = cluster.row();
        if (version == null || row == null) {
            return null;
        }
        if (KubernetesVersion.isOlder(KubernetesVersion.parse(version), KubernetesVersion.parse(field.version()))) {
            return field.describe() + " has version " + field.version() + ", and the target is " + version
                    + ": Cluster API downgrades nothing in place";
        }
        if (campaign.spec().clusterApi().uncovered() == UncoveredChange.STOP) {
            for (VersionField other : row.versionFields()) {
                if (other.problem() != null && (field.kind() == VersionFieldKind.TOPOLOGY || other.equals(field))) {
                    return "Cluster API would replace machines of " + other.describe() + ": " + other.problem()
                            + ". Correct that, or write clusterApi.uncovered: replace in the campaign";
                }
            }
        }
        return selectionProblem(cluster, campaign, field, version, scratch);
    }

    /** Cluster API updates all machines of a field, so a campaign must select all of them. */
    private static @Nullable String selectionProblem(
            ClusterState cluster, CampaignRollout campaign, VersionField field, String version, MachineView scratch) {
        MachineRole missing = field.kind() == VersionFieldKind.TOPOLOGY ? roleNotSelected(cluster, campaign) : null;
        if (missing != null) {
            return "Cluster API updates all machines of " + field.describe()
                    + ", and the campaign does not select those with role " + missing.label();
        }
        for (int i = 0; i < cluster.size(); i++) {
            scratch.moveTo(cluster.member(i));
            if (field.equals(fieldOf(cluster, scratch))
                    && !shows(scratch, version)
                    && campaign.progressStateOf(cluster, scratch) == MachineProgressState.NONE) {
                return "Cluster API updates all machines of " + field.describe() + ", and the campaign does not select "
                        + scratch.key().name();
            }
        }
        return null;
    }

    /** A role of which a cluster has machines, also some that the watcher has not shown yet, and which a campaign leaves out; null for none. */
    private static @Nullable MachineRole roleNotSelected(ClusterState cluster, CampaignRollout campaign) {
        List<MachineRole> roles = campaign.spec().select().roles();
        ClusterRow row = cluster.row();
        if (roles.isEmpty() || row == null) {
            return null;
        }
        if (!roles.contains(MachineRole.CONTROL_PLANE)) {
            return MachineRole.CONTROL_PLANE;
        }
        return row.workerReplicas() > 0 && !roles.contains(MachineRole.WORKER) ? MachineRole.WORKER : null;
    }
}
