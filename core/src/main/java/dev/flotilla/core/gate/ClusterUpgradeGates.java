package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.ClusterUpgradeNeed;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.ClusterUpgrade;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The gates of machines that Cluster API updates in place. A campaign starts such a machine only after it has opened the cluster and
 * Cluster API has asked for the machine. It opens a cluster only if each open one may start a machine within the caps as well.
 */
final class ClusterUpgradeGates {
    private ClusterUpgradeGates() {}

    /** The gates of starts. */
    static List<Gate> ofStarts() {
        return List.of(
                new Gate(
                        GateLabel.CLUSTER_API,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.REVOKE,
                        ClusterUpgradeGates::isRequested,
                        ClusterUpgradeGates::notRequested),
                new Gate(
                        GateLabel.CLAIMED_BY_OTHER,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> !c.isHeldForClusterUpgrade(),
                        ClusterUpgradeGates::held));
    }

    /** All gates of opening a cluster: those of starts, except that Cluster API has asked, and the caps with the open clusters. */
    static List<Gate> all(List<Gate> ofStarts) {
        List<Gate> gates = new ArrayList<>(ofStarts.stream()
                .filter(gate -> gate.label() != GateLabel.CLUSTER_API)
                .toList());
        gates.add(cap(GateLabel.FLEET_CAP, GateLevel.FLEET, c -> roomInFleet(c)));
        gates.add(cap(GateLabel.SITE_CAP, GateLevel.SITE, c -> roomInSite(c)));
        gates.add(cap(GateLabel.CAMPAIGN_CAP, GateLevel.ROLLOUT, c -> roomInCampaign(c)));
        return gates;
    }

    private static boolean isRequested(StartCandidate c) {
        if (!(c.rollout() instanceof CampaignRollout campaign)
                || !ClusterUpgradeNeed.mustBeRequested(c.cluster(), campaign, c.machine())) {
            return true;
        }
        return ClusterUpgradeNeed.isOpenedBy(c.cluster(), campaign)
                && ClusterUpgradeNeed.isRequested(
                        c.state().intent(c.machine().key()), c.machine(), Objects.requireNonNull(campaign.release()));
    }

    private static ClosedGate notRequested(StartCandidate c) {
        CampaignRollout campaign = (CampaignRollout) c.rollout();
        ClusterState cluster = c.cluster();
        ClusterUpgrade upgrade = cluster.upgrade();
        VersionField field = ClusterUpgradeNeed.fieldOf(cluster, c.machine());
        if (field == null) {
            String holder = String.valueOf(
                    upgrade == null ? campaign.name() : upgrade.campaign().name());
            return closed(
                            "no version fields",
                            "the fields that the campaign has written",
                            "Campaign " + holder + " has opened cluster " + cluster.key()
                                    + ", and Cluster API does not update its machines in place any more. Put label"
                                    + " flotilla.dev/in-place of the namespace back, or abort campaign " + holder
                                    + " and delete it (flotilla campaign delete " + holder + ").")
                    .forPerson();
        }
        if (upgrade != null && ClusterUpgradeNeed.isTaken(c.state(), cluster, campaign)) {
            String holder = upgrade.campaign().name().toString();
            return closed(
                    "open for " + holder,
                    "open for " + campaign.name(),
                    "Campaign " + holder + " has opened cluster " + cluster.key()
                            + ", and keeps it until its machines there are done. If it is paused, resume it (flotilla"
                            + " campaign resume " + holder + "), or abort and delete it (flotilla campaign delete "
                            + holder + ").");
        }
        VersionFieldChange change = upgrade == null ? null : upgrade.changeOf(field);
        if (change != null) {
            return change.written()
                    ? closed(
                            "not requested",
                            "requested by Cluster API",
                            "Cluster API has not asked for this machine yet: the version of " + field.describe()
                                    + " is written, and it asks for the machines one after another.")
                    : closed(
                            "version " + field.version() + " of " + field.describe(),
                            "version " + campaign.release(),
                            "The site's watcher has not written the version of " + field.describe() + " yet.");
        }
        String problem = findProblem(c, campaign, field);
        String message = problem == null
                ? "Campaign " + campaign.name() + " has not changed the version of " + field.describe() + " yet: "
                        + reasonToWait(c)
                : problem + ".";
        ClosedGate closed = upgrade == null
                ? closed("not open", "open", message)
                : closed(
                        "version " + field.version() + " of " + field.describe(),
                        "version " + campaign.release(),
                        message);
        return problem == null ? closed : closed.forPerson();
    }

    private static String reasonToWait(StartCandidate c) {
        String cap = ClusterUpgradeNeed.hasSlot(c.cluster())
                ? null
                : roomInFleet(c) <= 0
                        ? "the fleet's cap"
                        : roomInSite(c) <= 0 ? "the site's cap" : roomInCampaign(c) <= 0 ? "the campaign's cap" : null;
        return cap == null
                ? "it does that when all other gates are open, and after the control plane has the version."
                : cap + " has no slot left, because each machine in flight and each open cluster takes one.";
    }

    private static @Nullable String findProblem(StartCandidate c, CampaignRollout campaign, VersionField field) {
        List<MachineView> machines = c.state().machines(c.cluster());
        return machines.isEmpty()
                ? null
                : ClusterUpgradeNeed.problemOf(c.cluster(), campaign, field, machines.getFirst());
    }

    private static ClosedGate closed(String actual, String required, String message) {
        return new ClosedGate(GateLabel.CLUSTER_API, actual, required, message);
    }

    private static ClosedGate held(StartCandidate c) {
        ClusterUpgrade upgrade = Objects.requireNonNull(c.cluster().upgrade());
        String name = upgrade.campaign().name().toString();
        String wayOut = wayOut(c, upgrade, name);
        ClosedGate closed = new ClosedGate(
                GateLabel.CLAIMED_BY_OTHER,
                "campaign " + name,
                "not claimed by another rollout",
                "Campaign " + name + " has opened cluster " + c.cluster().key() + " and admits its machines: "
                        + (wayOut == null ? "this one starts when the campaign starts it." : wayOut));
        return wayOut == null ? closed : closed.forPerson();
    }

    /** What a person does so that a machine starts that the campaign does not start now; null if it does. */
    private static @Nullable String wayOut(StartCandidate c, ClusterUpgrade upgrade, String name) {
        CampaignRollout campaign =
                c.state().rollout(upgrade.campaign()) instanceof CampaignRollout known ? known : null;
        CampaignState state =
                campaign == null ? CampaignState.RUNNING : campaign.status().state();
        RolloutEntry entry = c.machine().entry(upgrade.campaign());
        MachineOutcome outcome = entry == null ? MachineOutcome.OPEN : entry.outcome();
        if (state == CampaignState.ABORTED) {
            return "the campaign is aborted, and this one waits until the campaign is deleted (flotilla campaign delete "
                    + name + ").";
        }
        if (campaign != null
                && !campaign.isOver()
                && campaign.progressStateOf(c.cluster(), c.machine()) == MachineProgressState.NONE) {
            return "it does not select this one any more. Select it again, or abort the campaign and delete it (flotilla"
                    + " campaign delete " + name + ").";
        }
        if (outcome == MachineOutcome.QUARANTINED) {
            return "its upgrade has failed, and this one starts after flotilla campaign retry " + name + ".";
        }
        if (outcome == MachineOutcome.SKIPPED) {
            return "it has skipped this one, which waits until the campaign is completed or deleted (flotilla campaign"
                    + " delete " + name + ").";
        }
        return state == CampaignState.PAUSED
                ? "it is paused, and starts this one after flotilla campaign resume " + name + "."
                : null;
    }

    /** Whether there is room for one more open cluster. */
    @FunctionalInterface
    private interface RoomForCluster {
        int left(StartCandidate candidate);
    }

    private static Gate cap(GateLabel label, GateLevel level, RoomForCluster room) {
        return new Gate(
                label,
                level,
                Gate.LeaseEffect.NONE,
                c -> ClusterUpgradeNeed.hasSlot(c.cluster()) || room.left(c) > 0,
                c -> ClosedGate.numbers(
                        label,
                        room.left(c),
                        1,
                        "Cluster " + c.cluster().key()
                                + " is opened when the cap has a slot left for each open cluster and for it."));
    }

    private static int roomInFleet(StartCandidate c) {
        return InFlightCapGates.fleetCap(c) - c.state().inFlight() - c.state().idleOpenClusters(null, null);
    }

    private static int roomInSite(StartCandidate c) {
        return InFlightCapGates.siteCap(c)
                - c.cluster().site().inFlight()
                - c.state().idleOpenClusters(c.cluster().site().id(), null);
    }

    private static int roomInCampaign(StartCandidate c) {
        return InFlightCapGates.limit(
                        c.rollout().rules().maxInFlight(), c.rollout().totalMachines())
                - InFlightCapGates.campaignInFlight(c)
                - c.state().idleOpenClusters(null, c.rolloutRef());
    }
}
