package dev.flotilla.core.upgrade;

import dev.flotilla.core.fleet.inventory.KubernetesVersion;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares what a node shows with a target. */
final class NodeTargetMatcher {
    private NodeTargetMatcher() {}

    /** Whether the node certainly is at the command's target. */
    public static boolean isAtTarget(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        boolean matches = switch (command.target()) {
            case UpgradeTarget.Revision wanted -> wanted.revision().equals(node.revision());
            case UpgradeTarget.Channel channel ->
                node.revision() != null && node.revision().equals(command.resolvedRevision());
            // The file behind a path can change: only a finished change and the revision before it can tell.
            case UpgradeTarget.LocalPath path -> false;
            case UpgradeTarget.KubernetesRelease release ->
                node.version() != null
                        && differingComponents(node, release.version()).isEmpty();
            case UpgradeTarget.MachineSpecHash wanted -> wanted.hash().equals(node.observedSpec());
        };
        return matches && versionFits(node, command);
    }

    /**
     * Whether the upgrade would be a downgrade, as far as the target's version is known, and the command forbids
     * downgrades.
     */
    static boolean isDowngrade(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        int target = KubernetesVersion.declaredVersion(command.target(), command.expectedVersion());
        return !command.allowDowngrade() && KubernetesVersion.isOlder(target, KubernetesVersion.parse(node.version()));
    }

    /**
     * Whether the node shows the target after a change that ended. If the target does not name a revision, the revision
     * from before the call proves nothing: a node's annotation is written after its kubelet starts, a change that is
     * reported as done may have done nothing, and a campaign must not learn the old revision. If the node was at its
     * target before the call, the next call reports that there is nothing to do.
     *
     * @param revisionBeforeCall the revision that the node showed before the change, empty if it showed none; null if unknown
     */
    static boolean isAtTargetAfterChange(
            NodeInspection.ObservedNode node,
            WorkerCommand.UpgradeMachine command,
            @Nullable String revisionBeforeCall) {
        return switch (command.target()) {
            case UpgradeTarget.Revision wanted -> isAtTarget(node, command);
            case UpgradeTarget.KubernetesRelease release -> isAtTarget(node, command);
            case UpgradeTarget.MachineSpecHash wanted -> isAtTarget(node, command);
            case UpgradeTarget.Channel channel ->
                command.resolvedRevision() == null
                        ? node.revision() != null
                                && !node.revision().equals(revisionBeforeCall)
                                && versionFits(node, command)
                        : isAtTarget(node, command);
            case UpgradeTarget.LocalPath path ->
                node.revision() != null
                        && revisionBeforeCall != null
                        && !revisionBeforeCall.equals(node.revision())
                        && versionFits(node, command);
        };
    }

    /** The revision before the call, which a worker that continues the attempt needs; null if it needs none. */
    static @Nullable String revisionToRecord(
            WorkerCommand.@Nullable UpgradeMachine command, @Nullable String revisionBeforeCall) {
        return command != null && needsRevisionBeforeCall(command) ? revisionBeforeCall : null;
    }

    /** Whether only the revision from before the call tells what a change has done. */
    private static boolean needsRevisionBeforeCall(WorkerCommand.UpgradeMachine command) {
        return switch (command.target()) {
            case UpgradeTarget.Channel channel -> command.resolvedRevision() == null;
            case UpgradeTarget.LocalPath path -> command.resolvedRevision() == null;
            case UpgradeTarget.Revision revision -> false;
            case UpgradeTarget.KubernetesRelease release -> false;
            case UpgradeTarget.MachineSpecHash hash -> false;
        };
    }

    /** Whether the kubelet's version matches the target, as far as the target states a version. */
    static boolean versionFits(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        String expected = command.expectedVersion();
        String shown = node.version() == null ? "" : withoutLeadingV(node.version());
        if (expected != null && !withoutLeadingV(expected).equals(shown)) {
            return false;
        }
        if (command.target() instanceof UpgradeTarget.KubernetesRelease release) {
            return withoutLeadingV(release.version()).equals(shown);
        }
        if (expected != null) {
            return true;
        }
        String minor = ChannelTrackVersion.minorVersionOf(command.target());
        return minor == null || shown.startsWith(minor + ".");
    }

    /**
     * Returns the components of a control plane on the node that do not certainly run a version, with what they run. A node
     * without static pods has none.
     */
    static List<String> differingComponents(NodeInspection.ObservedNode node, String version) {
        List<String> differing = new ArrayList<>();
        if (!node.components().isEmpty()) {
            for (String name : ControlPlaneComponent.NAMES) {
                ControlPlaneComponent component = node.component(name);
                if (component == null || !component.runs(version)) {
                    differing.add(name + " "
                            + (component == null
                                    ? "missing"
                                    : (component.imageTag() == null ? "without a version" : component.imageTag())
                                            + (component.ready() ? "" : ", which is not Ready")));
                }
            }
        }
        return differing;
    }

    /** Whether {@link #versionFits} compares anything. */
    static boolean versionIsKnown(WorkerCommand.UpgradeMachine command) {
        return command.expectedVersion() != null || ChannelTrackVersion.minorVersionOf(command.target()) != null;
    }

    /** Removes the leading v: manifests say 1.33.2, kubelets say v1.33.2. */
    private static String withoutLeadingV(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }
}
