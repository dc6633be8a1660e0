package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.fleet.MachineProviderLabel;
import dev.flotilla.simulator.fleet.SimCluster;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.fleet.SimMachineOwner;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;

/**
 * Random targets of intents: mostly the next minor version after what the machines show, but also a downgrade, a
 * skipped minor version, a worker ahead of its control plane, and a track without a version.
 */
final class RandomUpgradeTargets {
    private static final int MINOR = 100;

    private RandomUpgradeTargets() {}

    static UpgradeTarget randomTarget(SeededRandom chance, SimMachine machine) {
        return randomTarget(chance, List.of(machine));
    }

    static UpgradeTarget randomTarget(SeededRandom chance, SimMachineOwner owner) {
        return randomTarget(chance, owner.machines());
    }

    static UpgradeTarget randomTarget(SeededRandom chance, SimCluster cluster) {
        return randomTarget(chance, cluster.machines());
    }

    private static UpgradeTarget randomTarget(SeededRandom chance, List<SimMachine> machines) {
        int shown = machines.stream()
                .mapToInt(machine -> machine.node().revisionInNodeObject())
                .min()
                .orElse(SnapReleases.OLDEST);
        int minor = Math.max(0, (shown - SnapReleases.OLDEST) / MINOR + minorsAhead(chance.below(100)));
        if (machines.stream().anyMatch(MachineProviderLabel::isOn)) {
            boolean bySnap = machines.stream().anyMatch(machine -> machine.provider() == UpgradeProvider.K8SD);
            if (bySnap == chance.percent(10)) {
                int revision = SnapReleases.OLDEST + MINOR * minor + chance.below(3);
                return chance.percent(15)
                        ? new UpgradeTarget.MachineSpecHash(SnapReleases.specHash(revision))
                        : new UpgradeTarget.KubernetesRelease(SnapReleases.version(revision));
            }
        }
        if (chance.percent(8)) {
            return new UpgradeTarget.Channel(SnapReleases.LATEST);
        }
        if (chance.percent(4)) {
            return localPath(chance);
        }
        return chance.percent(50)
                ? new UpgradeTarget.Revision(Integer.toString(SnapReleases.OLDEST + MINOR * minor))
                : new UpgradeTarget.Channel(SnapReleases.channel(minor));
    }

    /** A file in a directory that some policies allow, or in one that none allows. */
    static UpgradeTarget localPath(SeededRandom chance) {
        return new UpgradeTarget.LocalPath(chance.pick(List.of(RandomPolicies.SNAPS, "/tmp")) + "/k8s.snap");
    }

    private static int minorsAhead(int drawn) {
        if (drawn < 12) {
            return -1;
        }
        if (drawn < 22) {
            return 0;
        }
        return drawn < 78 ? 1 : drawn < 92 ? 2 : 3;
    }
}
