package dev.flotilla.managementwatcher.external;

import dev.flotilla.managementwatcher.view.MachineView;
import dev.flotilla.managementwatcher.view.UpgradeTaskView;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.List;

/**
 * The objects in the namespace of a request that the answer follows from.
 *
 * @param clusterExists whether there is a Cluster of the name
 * @param tasks all UpgradeTasks
 * @param machines the machines of the cluster
 */
record RequestedObjects(boolean clusterExists, List<UpgradeTaskView> tasks, List<RequestedMachine> machines) {
    RequestedObjects {
        tasks = List.copyOf(tasks);
        machines = List.copyOf(machines);
    }

    /** A Machine, and what upgrades it, as far as the watcher can tell. */
    record RequestedMachine(MachineView view, UpgradeProvider provider) {
        String name() {
            return view.key().name();
        }
    }
}
