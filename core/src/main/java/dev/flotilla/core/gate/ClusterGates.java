package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.rollout.ClusterBacklog;
import dev.flotilla.core.fleet.start.GateEvaluator.GateLevel;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The gates of a cluster: the order of its machines and its health. */
final class ClusterGates {
    /** Why a machine must wait for others of its cluster. */
    private enum OrderProblem {
        QUARANTINED,
        IN_FLIGHT,
        NOT_AT_TARGET
    }

    private ClusterGates() {}

    static List<Gate> all() {
        return List.of(
                new Gate(
                        GateLabel.CLUSTER_ORDER,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> orderProblem(c) == null,
                        ClusterGates::notItsTurn),
                new Gate(
                        GateLabel.CLUSTER_ORDER,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        c -> c.finishesControlPlane() || !isStopped(c),
                        c -> ClosedGate.numbers(
                                GateLabel.CLUSTER_ORDER,
                                c.backlog().quarantined(),
                                0,
                                "Cluster " + c.cluster().key() + " has "
                                        + ClosedGate.count(c.backlog().quarantined(), "quarantined machine")
                                        + ", and its campaign is strict: skip or retry them.")),
                new Gate(
                        GateLabel.CLUSTER_HEALTH,
                        GateLevel.CLUSTER,
                        Gate.LeaseEffect.NONE,
                        ClusterGates::isHealthy,
                        ClusterGates::unhealthy));
    }

    private static boolean isStopped(StartCandidate c) {
        return c.backlog().quarantined() > 0
                && c.rollout() instanceof CampaignRollout campaign
                && campaign.spec().cluster().strict();
    }

    private static @Nullable OrderProblem orderProblem(StartCandidate c) {
        ClusterBacklog clusterBacklog = c.backlog();
        boolean inFlight = c.cluster().controlPlaneInFlight() > 0;
        if (c.machine().isControlPlane()) {
            if (clusterBacklog.controlPlaneQuarantined()) {
                return OrderProblem.QUARANTINED;
            }
            return inFlight ? OrderProblem.IN_FLIGHT : null;
        }
        if (inFlight) {
            return OrderProblem.IN_FLIGHT;
        }
        if (!c.rollout().rules().controlPlaneFirst()) {
            return null;
        }
        if (clusterBacklog.controlPlaneQuarantined()) {
            return OrderProblem.QUARANTINED;
        }
        return clusterBacklog.controlPlaneLeft() > 0 || isControlPlaneBehind(c) ? OrderProblem.NOT_AT_TARGET : null;
    }

    /** Whether Cluster API is still updating the control plane to the version that its object has. */
    private static boolean isControlPlaneBehind(StartCandidate c) {
        ClusterRow row = c.cluster().row();
        if (row == null) {
            return false;
        }
        for (VersionField field : row.versionFields()) {
            if (field.kind() == VersionFieldKind.CONTROL_PLANE) {
                return KubernetesVersion.isOlder(
                        c.backlog().oldestControlPlane(), KubernetesVersion.parse(field.version()));
            }
        }
        return false;
    }

    private static ClosedGate notItsTurn(StartCandidate c) {
        OrderProblem orderProblem = Objects.requireNonNull(orderProblem(c));
        String problem = describe(orderProblem, c);
        return new ClosedGate(
                GateLabel.CLUSTER_ORDER,
                problem,
                "its turn in cluster " + c.cluster().key(),
                "Control plane first, one at a time: " + problem + ".",
                null,
                orderProblem == OrderProblem.QUARANTINED);
    }

    private static String describe(OrderProblem problem, StartCandidate c) {
        return switch (problem) {
            case QUARANTINED ->
                describeControlPlane("a", c, other -> isQuarantined(c, other)) + " is quarantined: skip it or retry it";
            case IN_FLIGHT ->
                describeControlPlane(c.machine().isControlPlane() ? "another" : "a", c, MachineView::inFlight)
                        + " is in flight";
            case NOT_AT_TARGET -> "the control plane is not at its target yet";
        };
    }

    private static boolean isQuarantined(StartCandidate c, MachineView other) {
        return c.rollout().progressStateOf(c.cluster(), other) == MachineProgressState.QUARANTINED
                || c.rollout().leftBehind(c.cluster(), other);
    }

    /** Names the first control-plane machine of the cluster that matches. One that has left it stays unnamed. */
    private static String describeControlPlane(String article, StartCandidate c, Predicate<MachineView> matches) {
        for (MachineView other : c.state().machines(c.cluster())) {
            if (other.isControlPlane() && matches.test(other)) {
                return article + " control-plane machine (" + other.key() + ")";
            }
        }
        return article + " control-plane machine";
    }

    private static boolean isHealthy(StartCandidate c) {
        ClusterState cluster = c.cluster();
        ClusterRow row = cluster.row();
        if (row == null || cluster.unreadable() || row.paused() || row.hold()) {
            return false;
        }
        if (isSoaking(c)) {
            return false;
        }
        if (c.machine().isControlPlane()) {
            return cluster.controlPlanes() == row.controlPlaneReplicas() && othersUnready(c) == 0;
        }
        return unavailableWith(c) <= c.rollout().rules().maxUnavailableIn(cluster);
    }

    /** Whether the cluster soaks because one of its machines has just succeeded. */
    private static boolean isSoaking(StartCandidate c) {
        return c.now().toEpochMilli() < c.cluster().soakUntil();
    }

    private static int othersUnready(StartCandidate c) {
        return c.cluster().controlPlanesUnready() - (isUnavailable(c.machine()) ? 1 : 0);
    }

    /** Workers that are unavailable or in flight, including this one. */
    private static int unavailableWith(StartCandidate c) {
        boolean counted = isUnavailable(c.machine()) || c.machine().inFlight();
        return c.cluster().workersUnavailable() + (counted ? 0 : 1);
    }

    private static boolean isUnavailable(MachineView machine) {
        return machine.unreadable() || !machine.ready();
    }

    private static ClosedGate unhealthy(StartCandidate c) {
        ClusterState cluster = c.cluster();
        ClusterRow row = cluster.row();
        if (row == null || cluster.unreadable()) {
            return closed(
                            "unknown",
                            "a readable row",
                            "Cluster " + cluster.key() + " has no readable inventory row: see flotilla rejected list.")
                    .forPerson();
        }
        if (row.paused() || row.hold()) {
            String actual = row.paused() ? "paused" : "on hold";
            return closed(actual, "not " + actual, "Cluster " + cluster.key() + " is " + actual + ".")
                    .forPerson();
        }
        if (isSoaking(c)) {
            Instant until = Instant.ofEpochMilli(cluster.soakUntil());
            return new ClosedGate(
                    GateLabel.CLUSTER_HEALTH,
                    c.now().toString(),
                    until.toString(),
                    "Cluster " + cluster.key() + " soaks after a success until " + until + ".",
                    until);
        }
        if (!c.machine().isControlPlane()) {
            return ClosedGate.numbers(
                    GateLabel.CLUSTER_HEALTH,
                    unavailableWith(c),
                    c.rollout().rules().maxUnavailableIn(cluster),
                    "With this start " + ClosedGate.count(unavailableWith(c), "worker") + " of cluster "
                            + cluster.key() + " would be unavailable; maxUnavailable is "
                            + c.rollout().rules().maxUnavailableIn(cluster) + ".");
        }
        if (cluster.controlPlanes() != row.controlPlaneReplicas()) {
            return ClosedGate.numbers(
                    GateLabel.CLUSTER_HEALTH,
                    cluster.controlPlanes(),
                    row.controlPlaneReplicas(),
                    "Cluster " + cluster.key() + " has " + cluster.controlPlanes()
                            + " control-plane machines and should have " + row.controlPlaneReplicas() + ".");
        }
        return ClosedGate.numbers(
                GateLabel.CLUSTER_HEALTH,
                othersUnready(c),
                0,
                "Other control-plane machines of cluster " + cluster.key() + " are not ready: " + othersUnready(c)
                        + ".");
    }

    private static ClosedGate closed(String actual, String required, String message) {
        return new ClosedGate(GateLabel.CLUSTER_HEALTH, actual, required, message);
    }
}
