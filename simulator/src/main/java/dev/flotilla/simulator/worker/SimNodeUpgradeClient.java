package dev.flotilla.simulator.worker;

import dev.flotilla.core.upgrade.ChangeStatus;
import dev.flotilla.core.upgrade.NodeInspection;
import dev.flotilla.schemas.kube.NodeUpgradeName;
import dev.flotilla.schemas.row.FailureClass;
import dev.flotilla.schemas.row.FailureReason;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.simulator.node.RefreshCallResult;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.node.SimNodeUpgrades.NodeUpgradePhase;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SimProcess;

/** What a simulated worker does with the NodeUpgrade of an attempt: creates it, reads it, and inspects the node. */
final class SimNodeUpgradeClient {
    private SimNodeUpgradeClient() {}

    static NodeInspection inspect(SimNode node, WorkerCommand command, WorkerSafeguards safeguards) {
        String version = node.version();
        if (!safeguards.nodeUpgrades().believesTheNode()
                && command instanceof WorkerCommand.UpgradeMachine upgrade
                && upgrade.target() instanceof UpgradeTarget.KubernetesRelease release
                && node.nodeUpgrades().phase(NodeUpgradeName.of(upgrade)) == NodeUpgradePhase.SUCCEEDED) {
            version = release.version();
        }
        return new NodeInspection.ObservedNode(
                null, version, node.isReady(), node.isRefreshing(), null, SnapReleases.specHash(node.revision()));
    }

    static RefreshCallResult create(
            SimNode node, WorkerCommand.UpgradeMachine command, SimProcess process, WorkerSafeguards safeguards) {
        String name = NodeUpgradeName.of(command)
                + (safeguards.nodeUpgrades().namesByAttempt()
                        ? ""
                        : "-" + process.chance().below(1_000_000));
        return node.nodeUpgrades().create(command.key(), name, command.target(), command.attemptId(), process.name());
    }

    static RefreshCallResult prepare(SimNode node, WorkerCommand.PrepareMachine command) {
        return node.nodeUpgrades().prepare(NodeUpgradeName.of(command));
    }

    static ChangeStatus status(SimNode node, String name, WorkerSafeguards safeguards) {
        return switch (node.nodeUpgrades().phase(name)) {
            case null -> new ChangeStatus.StatusUnavailable("NodeUpgrade " + name + " has had no heartbeat for long");
            case GONE -> new ChangeStatus.ChangeForgotten();
            case RUNNING -> new ChangeStatus.InProgress("NodeUpgrade " + name + " is Running");
            case SUCCEEDED -> new ChangeStatus.ChangeDone();
            case ABORTED -> aborted(name);
            case FAILED -> failed(FailureClass.RETRYABLE, name);
            case FAILED_FOR_GOOD ->
                failed(
                        safeguards.nodeUpgrades().honoursRetryable() ? FailureClass.TERMINAL : FailureClass.RETRYABLE,
                        name);
        };
    }

    /** Asks the controller to abort, and reads the object. */
    static ChangeStatus abort(SimNode node, String name, WorkerSafeguards safeguards) {
        node.nodeUpgrades().abort(name);
        return safeguards.nodeUpgrades().awaitsAbort() ? status(node, name, safeguards) : aborted(name);
    }

    private static ChangeStatus aborted(String name) {
        return new ChangeStatus.ChangeAborted("NodeUpgrade " + name + " was aborted: before step restart");
    }

    private static ChangeStatus failed(FailureClass failureClass, String name) {
        return new ChangeStatus.ChangeFailed(
                failureClass, FailureReason.NODE_UPGRADE_FAILED, "NodeUpgrade " + name + " is Failed: StepFailed");
    }
}
