package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OwnerKind;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.VersionFieldKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The objects of a cluster as they are in its management cluster. */
final class InPlaceCluster {
    final ClusterKey key;
    final boolean hasTopology;

    /** Whether its UpgradeTasks name hashes, as they do with bootstrap providers whose whole configuration the extension covers. */
    boolean requestsByHash;

    /** Versions by owner; the first is the control plane. */
    final Map<String, String> versions = new LinkedHashMap<>();

    /** Why Cluster API would replace machines of an owner. */
    final Map<String, String> problems = new LinkedHashMap<>();

    final List<InPlaceMachine> machines = new ArrayList<>();
    String topologyVersion;
    String manager = "kubectl";

    /** A Machine and its node. */
    static final class InPlaceMachine {
        final MachineKey key;
        final String owner;
        final MachineRole role;
        String version;

        /** The version that Cluster API has asked for; null if it has not. */
        @Nullable
        String requested;

        /** Whether the request names a hash of all that Cluster API changes, and not the version alone. */
        boolean requestedByHash;

        /** The UpgradeTask's counter, so that each request has another hash. */
        int requests;

        /** The UpgradeTasks so far; one can be deleted and created again for the same request. */
        int tasks;

        /** Whether somebody edits files as well before the request ends, so that Cluster API asks once more. */
        boolean editedAgain;

        /** How often it was created under its name. */
        int creations;

        /** The attempt whose call has begun and not ended; 0 for none. */
        long calling;

        /** The version to which the call that has begun upgrades. */
        String callingTo = "";

        /** The hash that its node was upgraded to last; null for none. */
        @Nullable
        UpgradeTarget reached;

        /** What its node was upgraded to, one after another. */
        final List<UpgradeTarget> upgrades = new ArrayList<>();

        InPlaceMachine(MachineKey key, String owner, MachineRole role, String version) {
            this.key = key;
            this.owner = owner;
            this.role = role;
            this.version = version;
        }

        String uid() {
            return "uid-of-" + key.name() + (creations == 0 ? "" : "-" + creations);
        }

        /** The uid of its UpgradeTask. */
        String taskUid() {
            return "uid-of-task-of-" + uid() + "-" + tasks;
        }

        /** The Machine is deleted, and another is created under its name. */
        void createAgain(String withVersion) {
            creations++;
            version = withVersion;
            requested = null;
            editedAgain = false;
            calling = 0;
            reached = null;
            upgrades.clear();
        }

        /** Begins a request of Cluster API. */
        void request(String wanted, boolean byHash) {
            requested = wanted;
            requestedByHash = byHash;
            requests++;
            tasks++;
        }

        /** The target of its UpgradeTask; null without one. */
        @Nullable
        UpgradeTarget requestedTarget() {
            return requested == null
                    ? null
                    : requestedByHash ? hash(requests) : new UpgradeTarget.KubernetesRelease(requested);
        }

        private UpgradeTarget hash(int number) {
            return UpgradeTarget.parse("spec=sha256:"
                    + String.format(Locale.ROOT, "%064x", (key.name() + number).hashCode() & 0xffff_ffffL));
        }
    }

    InPlaceCluster(ClusterKey key, boolean hasTopology, int controlPlanes, List<Integer> workers, String version) {
        this.key = key;
        this.hasTopology = hasTopology;
        this.topologyVersion = version;
        addMachines(controlPlaneName(), MachineRole.CONTROL_PLANE, controlPlanes, version);
        for (int i = 0; i < workers.size(); i++) {
            addMachines(key.name() + "-md" + i, MachineRole.WORKER, workers.get(i), version);
        }
    }

    private void addMachines(String owner, MachineRole role, int count, String version) {
        versions.put(owner, version);
        for (int i = 0; i < count; i++) {
            machines.add(new InPlaceMachine(
                    new MachineKey(key.site(), key.namespace(), owner + "-" + i), owner, role, version));
        }
    }

    String controlPlaneName() {
        return key.name() + "-cp";
    }

    boolean isControlPlane(String owner) {
        return owner.equals(controlPlaneName());
    }

    List<InPlaceMachine> machinesOf(String owner) {
        return machines.stream().filter(machine -> machine.owner.equals(owner)).toList();
    }

    ClusterRow row() {
        List<VersionField> fields = new ArrayList<>();
        if (hasTopology) {
            fields.add(new VersionField(VersionFieldKind.TOPOLOGY, key.name(), topologyVersion, manager, null));
        }
        versions.forEach((owner, version) -> fields.add(new VersionField(
                isControlPlane(owner) ? VersionFieldKind.CONTROL_PLANE : VersionFieldKind.MACHINE_DEPLOYMENT,
                owner,
                version,
                manager,
                problems.get(owner))));
        int controlPlanes = machinesOf(controlPlaneName()).size();
        return new ClusterRow(
                        key,
                        "uid-of-" + key.name(),
                        Labels.NONE,
                        false,
                        false,
                        null,
                        controlPlanes,
                        machines.size() - controlPlanes)
                .withVersionFields(fields);
    }

    MachineRow row(InPlaceMachine machine) {
        return new MachineRow(
                machine.key,
                machine.uid(),
                key.name(),
                machine.role == MachineRole.WORKER
                        ? new MachineRow.MachineOwner(OwnerKind.MACHINE_DEPLOYMENT, machine.owner)
                        : null,
                machine.role,
                Labels.NONE,
                machine.key.name(),
                "sim://" + machine.key.name(),
                "system-of-" + machine.key.name(),
                true,
                false,
                false,
                false,
                false,
                null,
                machine.version,
                null,
                "amd64",
                List.of(),
                UpgradeProvider.NODE_UPGRADE);
    }

    /** Sets the version of an object with a field. */
    void write(VersionFieldKind kind, String name, String version, String by) {
        manager = by;
        if (kind == VersionFieldKind.TOPOLOGY) {
            topologyVersion = version;
        } else {
            versions.put(name, version);
        }
    }

    @Nullable
    String version(VersionFieldKind kind, String name) {
        return kind == VersionFieldKind.TOPOLOGY ? topologyVersion : versions.get(name);
    }
}
