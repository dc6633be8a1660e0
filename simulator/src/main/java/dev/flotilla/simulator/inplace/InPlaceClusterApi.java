package dev.flotilla.simulator.inplace;

import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RolloutEntry;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.simulator.inplace.InPlaceCluster.InPlaceMachine;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cluster API as it acts on versions: one machine of each owner after another. */
final class InPlaceClusterApi {
    private final InPlaceScene world;

    InPlaceClusterApi(InPlaceScene world) {
        this.world = world;
    }

    /** Cluster API: the topology first, then one machine of each owner after another. */
    void reconcile(InPlaceCluster cluster) {
        if (cluster.hasTopology) {
            reconcileTopology(cluster);
        }
        for (Map.Entry<String, String> owner : cluster.versions.entrySet()) {
            List<InPlaceMachine> machines = cluster.machinesOf(owner.getKey());
            machines.stream()
                    .filter(machine -> isDone(machine) || hasFailed(machine))
                    .forEach(this::endRequest);
            boolean isUpdating = machines.stream().anyMatch(machine -> machine.requested != null);
            machines.stream()
                    .filter(machine -> !isUpdating && machine.version.compareTo(owner.getValue()) < 0)
                    .findFirst()
                    .ifPresent(machine -> begin(cluster, machine, owner.getValue()));
        }
    }

    private void reconcileTopology(InPlaceCluster cluster) {
        String version = cluster.topologyVersion;
        cluster.versions.replace(cluster.controlPlaneName(), version);
        if (cluster.machinesOf(cluster.controlPlaneName()).stream()
                .allMatch(machine -> machine.version.equals(version))) {
            cluster.versions.replaceAll((owner, before) -> version);
        }
        world.markChanged(cluster);
    }

    private void begin(InPlaceCluster cluster, InPlaceMachine machine, String version) {
        if (cluster.problems.containsKey(machine.owner)) {
            // It is replaced by a machine with the version.
            machine.version = version;
        } else {
            machine.request(version, cluster.requestsByHash);
        }
        world.markChanged(machine);
    }

    /** Whether the UpgradeTask of a machine has completed. */
    private boolean isDone(InPlaceMachine machine) {
        MachineOutcome outcome = outcomeOfTask(machine);
        return machine.requested != null
                && machine.version.equals(machine.requested)
                && outcome != null
                && outcome.isAtTarget();
    }

    /** Whether the UpgradeTask of a machine has failed. Then somebody deletes it. */
    private boolean hasFailed(InPlaceMachine machine) {
        return machine.requested != null && outcomeOfTask(machine) == MachineOutcome.QUARANTINED;
    }

    private @Nullable MachineOutcome outcomeOfTask(InPlaceMachine machine) {
        UpgradeIntent intent = world.invariants().rows().row(Table.INTENTS, machine.key, UpgradeIntent.class);
        MachineStatus status = world.invariants().rows().row(Table.STATUS, machine.key, MachineStatus.class);
        return intent == null || status == null
                ? null
                : status.entries().stream()
                        .filter(entry -> entry.rolloutRef()
                                .equals(new RolloutRef.IntentRef(intent.object(), intent.requestedAt())))
                        .map(RolloutEntry::outcome)
                        .findFirst()
                        .orElse(null);
    }

    private void endRequest(InPlaceMachine machine) {
        String version = machine.requested;
        machine.requested = null;
        if (machine.editedAgain && version != null) {
            machine.editedAgain = false;
            machine.request(version, true);
        }
        world.markChanged(machine);
    }
}
