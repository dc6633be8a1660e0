package dev.flotilla.core.procedure;

import dev.flotilla.core.fleet.KubernetesVersion;
import dev.flotilla.schemas.row.ChannelTrackVersion;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.WorkerCommand;
import org.jspecify.annotations.Nullable;

/** What a node shows of itself, held against a target. */
public final class NodeTargetMatcher {
    private NodeTargetMatcher() {}

    /** Whether the node shows without any doubt that it is where the command wants it. */
    public static boolean isAtTarget(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        boolean there = switch (command.target()) {
            case UpgradeTarget.Revision wanted -> wanted.revision().equals(node.revision());
            case UpgradeTarget.Channel channel ->
                node.revision() != null && node.revision().equals(command.resolvedRevision());
            // Any file may be behind a path: only a change that is done, and what was before, can tell.
            case UpgradeTarget.LocalPath path -> false;
        };
        return there && versionFits(node, command);
    }

    /** Whether the node shows a newer version than the target's, as far as the target says, and the command forbids to go back. */
    static boolean isDowngrade(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        int target = KubernetesVersion.declaredVersion(command.target(), command.expectedVersion());
        return !command.allowDowngrade() && KubernetesVersion.isOlder(target, KubernetesVersion.parse(node.version()));
    }

    /**
     * Whether it shows it after a change that is known to have been done. Where the target does not name the revision, one that
     * showed before tells nothing: a node's annotation is written later than its kubelet starts, a change that says it is done
     * may have done nothing, and a campaign must not learn the old revision. Where the node was at its target all along, the
     * next call has nothing to change, and says so.
     *
     * @param before the revision that it showed before the change, empty where it showed none; null where nobody remembers
     */
    static boolean isAtTargetAfterChange(
            NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command, @Nullable String before) {
        return switch (command.target()) {
            case UpgradeTarget.Revision wanted -> isAtTarget(node, command);
            case UpgradeTarget.Channel channel ->
                command.resolvedRevision() == null
                        ? node.revision() != null && !node.revision().equals(before) && versionFits(node, command)
                        : isAtTarget(node, command);
            case UpgradeTarget.LocalPath path ->
                node.revision() != null
                        && before != null
                        && !before.equals(node.revision())
                        && versionFits(node, command);
        };
    }

    /** Whether only what was before tells what a change has done. */
    static boolean needsRevisionBeforeCall(WorkerCommand.UpgradeMachine command) {
        return !(command.target() instanceof UpgradeTarget.Revision) && command.resolvedRevision() == null;
    }

    /** Whether its kubelet is of a version that the target may have, as far as the target says. */
    static boolean versionFits(NodeInspection.ObservedNode node, WorkerCommand.UpgradeMachine command) {
        String expected = command.expectedVersion();
        String shown = node.version() == null ? "" : bare(node.version());
        if (expected != null) {
            return bare(expected).equals(shown);
        }
        String minor = ChannelTrackVersion.minorVersionOf(command.target());
        return minor == null || shown.startsWith(minor + ".");
    }

    /** Whether {@link #versionFits} says anything at all. */
    static boolean versionIsKnown(WorkerCommand.UpgradeMachine command) {
        return command.expectedVersion() != null || ChannelTrackVersion.minorVersionOf(command.target()) != null;
    }

    /** People write 1.33.2, kubelets say v1.33.2. */
    private static String bare(String version) {
        return version.startsWith("v") ? version.substring(1) : version;
    }
}
