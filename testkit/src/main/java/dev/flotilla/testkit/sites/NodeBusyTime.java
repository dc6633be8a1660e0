package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long each node was busy with refreshes: the minimum time of a rollout's work. */
final class NodeBusyTime {
    private final Map<MachineKey, Long> running = new LinkedHashMap<>();
    private final Map<MachineKey, Long> done = new LinkedHashMap<>();

    NodeBusyTime(Map<MachineKey, SimNode> nodes, NodeCallLedger ledger, VirtualClockScheduler scheduler) {
        ledger.addListener(call -> {
            if (call.effective()) {
                running.put(call.machine(), call.calledAt());
            }
        });
        nodes.forEach((machine, node) -> node.watch(() -> {
            Long since = node.isRefreshing() ? null : running.remove(machine);
            if (since != null) {
                done.merge(machine, scheduler.now() - since, Long::sum);
            }
        }));
    }

    /** The time of all refreshes of a machine, in milliseconds. */
    long millis(MachineKey machine) {
        return done.getOrDefault(machine, 0L);
    }
}
