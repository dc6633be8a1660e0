package dev.flotilla.simulator.worker;

import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Report;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.simulator.node.SimNode;

/** What a node shows of itself, held against a target. */
final class Proof {
    private Proof() {}

    /** Whether the node shows without any doubt that it is where the command wants it. */
    static boolean atTarget(SimNode node, Command.UpgradeMachine command) {
        String revision = Integer.toString(node.revision());
        boolean there = switch (command.target()) {
            case UpgradeOption.Revision wanted -> wanted.revision().equals(revision);
            case UpgradeOption.Channel channel -> revision.equals(command.learnedRevision());
            case UpgradeOption.LocalPath path -> false;
        };
        return there && versionFits(node, command);
    }

    /** Whether it shows it after a change that is known to have been done. */
    static boolean atTargetAfterChange(SimNode node, Command.UpgradeMachine command) {
        if (command.target() instanceof UpgradeOption.Channel channel && command.learnedRevision() == null) {
            return node.version().startsWith("v" + track(channel) + ".") && versionFits(node, command);
        }
        return atTarget(node, command);
    }

    private static boolean versionFits(SimNode node, Command.UpgradeMachine command) {
        String expected = command.expectedVersion();
        return expected == null || expected.equals(node.version());
    }

    private static String track(UpgradeOption.Channel channel) {
        int end = channel.channel().indexOf('-');
        return end < 0 ? channel.channel() : channel.channel().substring(0, end);
    }

    static Report.Succeeded of(SimNode node, Report.Proof how) {
        return new Report.Succeeded(how, Integer.toString(node.revision()), node.version());
    }
}
