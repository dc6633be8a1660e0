package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimOwner;
import dev.flotilla.simulator.node.Releases;
import dev.flotilla.simulator.world.Chance;
import java.util.List;

/**
 * What people write into annotations: mostly the next minor version of what the machines show, but also one that goes back, skips
 * a minor version, or leads the control plane, and a track that says no version.
 */
final class Wishes {
    private static final int MINOR = 100;

    private Wishes() {}

    static UpgradeTarget any(Chance chance, SimMachine machine) {
        return any(chance, List.of(machine));
    }

    static UpgradeTarget any(Chance chance, SimOwner owner) {
        return any(chance, owner.machines());
    }

    static UpgradeTarget any(Chance chance, SimCluster cluster) {
        return any(chance, cluster.machines());
    }

    private static UpgradeTarget any(Chance chance, List<SimMachine> machines) {
        int shown = machines.stream()
                .mapToInt(machine -> machine.node().shown())
                .min()
                .orElse(Releases.OLDEST);
        int minor = Math.max(0, (shown - Releases.OLDEST) / MINOR + further(chance.below(100)));
        if (chance.percent(8)) {
            return new UpgradeTarget.Channel(Releases.LATEST);
        }
        if (chance.percent(4)) {
            return new UpgradeTarget.LocalPath(chance.pick(List.of(Policies.SNAPS, "/tmp")) + "/k8s.snap");
        }
        return chance.percent(50)
                ? new UpgradeTarget.Revision(Integer.toString(Releases.OLDEST + MINOR * minor))
                : new UpgradeTarget.Channel(Releases.channel(minor));
    }

    private static int further(int drawn) {
        if (drawn < 12) {
            return -1;
        }
        if (drawn < 22) {
            return 0;
        }
        return drawn < 78 ? 1 : drawn < 92 ? 2 : 3;
    }
}
