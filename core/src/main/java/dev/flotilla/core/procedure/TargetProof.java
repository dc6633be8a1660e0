package dev.flotilla.core.procedure;

import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.UpgradeOption;

/** What a node shows of itself, held against a target. */
public final class TargetProof {
    private TargetProof() {}

    /** Whether the node shows without any doubt that it is where the command wants it. */
    public static boolean atTarget(Sight.Node node, Command.UpgradeMachine command) {
        boolean there = switch (command.target()) {
            case UpgradeOption.Revision wanted -> wanted.revision().equals(node.revision());
            case UpgradeOption.Channel channel ->
                node.revision() != null && node.revision().equals(command.learnedRevision());
            case UpgradeOption.LocalPath path -> false;
        };
        return there && versionFits(node, command);
    }

    /** Whether it shows it after a change that is known to have been done. */
    public static boolean atTargetAfterChange(Sight.Node node, Command.UpgradeMachine command) {
        if (command.target() instanceof UpgradeOption.Channel channel && command.learnedRevision() == null) {
            String version = node.version();
            return version != null && version.startsWith("v" + track(channel) + ".") && versionFits(node, command);
        }
        return atTarget(node, command);
    }

    private static boolean versionFits(Sight.Node node, Command.UpgradeMachine command) {
        String expected = command.expectedVersion();
        return expected == null || expected.equals(node.version());
    }

    private static String track(UpgradeOption.Channel channel) {
        int end = channel.channel().indexOf('-');
        return end < 0 ? channel.channel() : channel.channel().substring(0, end);
    }
}
