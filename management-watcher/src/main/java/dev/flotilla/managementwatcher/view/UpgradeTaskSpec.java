package dev.flotilla.managementwatcher.view;

import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.kube.LabelKeys;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.NodeUpgraderRef;
import dev.flotilla.schemas.row.UpgradeTarget;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an UpgradeTask asks for.
 *
 * @param owner the owner of the machines; null if only names select them
 * @param machines names of machines; empty for all of the owner's that differ
 * @param machineUid uid of the only machine that it is about, as Cluster API's tasks say it; null for any
 * @param target null if the spec has a problem
 * @param version the Kubernetes version of the target; null for none
 * @param machineSpecHash the hash of the target's machine spec; null for none
 * @param upgrader the template of the NodeUpgrades; null for that of each machine's provider
 * @param problem the first invalid field; null for none
 */
public record UpgradeTaskSpec(
        String clusterName,
        @Nullable TaskOwner owner,
        List<String> machines,
        @Nullable String machineUid,
        @Nullable UpgradeTarget target,
        @Nullable String version,
        @Nullable String machineSpecHash,
        boolean abort,
        @Nullable Long ttlSeconds,
        @Nullable NodeUpgraderRef upgrader,
        @Nullable SpecProblem problem) {

    /** The owner that a task names: a control plane, or a MachineDeployment. */
    public record TaskOwner(boolean controlPlane, String kind, String name) {
        @Override
        public String toString() {
            return kind + " " + name;
        }
    }

    /** An invalid field: its path, and the value with the reason and the way out. */
    public record SpecProblem(String field, String message) {
        @Override
        public String toString() {
            return field + " " + message;
        }
    }

    public UpgradeTaskSpec {
        machines = List.copyOf(machines);
    }

    /** Whether the task is about a machine, whatever version the machine has. A machine that was created again is another one. */
    public boolean selects(MachineView machine) {
        return machine.cluster().equals(clusterName)
                && (machineUid == null || machineUid.equals(machine.uid()))
                && (machines.isEmpty() || machines.contains(machine.key().name()))
                && (owner == null ? !machines.isEmpty() : isOwnedBy(machine, owner));
    }

    /**
     * Whether a machine has this owner. Of a control plane whose kind is not watched only the label of its machines is
     * known.
     */
    private static boolean isOwnedBy(MachineView machine, TaskOwner owner) {
        MachineRow.MachineOwner machineOwner = machine.owner();
        if (!owner.controlPlane()) {
            return machineOwner != null
                    && machineOwner.kind() == OwnerKind.MACHINE_DEPLOYMENT
                    && machineOwner.name().equals(owner.name());
        }
        if (machine.role() != MachineRole.CONTROL_PLANE) {
            return false;
        }
        return machineOwner == null
                ? owner.name().equals(machine.labels().values().get(LabelKeys.CONTROL_PLANE_NAME))
                : machineOwner.name().equals(owner.name());
    }

    /** Whether a machine is not at the target yet, as far as its Machine shows it. */
    public boolean differs(MachineView machine) {
        boolean versionDiffers = version != null && !version.equals(machine.kubeletVersion());
        boolean specDiffers = machineSpecHash != null
                && !machineSpecHash.equals(machine.task().reachedSpec());
        return versionDiffers || specDiffers;
    }
}
