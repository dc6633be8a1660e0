package dev.flotilla.simulator.play;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How long each node was busy with each of its refreshes: the work that nobody can save. */
final class Refreshes {
    private final Map<MachineKey, Long> running = new LinkedHashMap<>();
    private final Map<MachineKey, List<Long>> done = new LinkedHashMap<>();

    Refreshes(SimFleet fleet, Ledger ledger, Scheduler scheduler) {
        ledger.listen(call -> {
            if (call.effective()) {
                running.put(call.machine(), call.at());
            }
        });
        for (SimMachine machine : fleet.machines()) {
            SimNode node = machine.node();
            node.watch(() -> {
                Long since = node.busy() ? null : running.remove(machine.key());
                if (since != null) {
                    done.computeIfAbsent(machine.key(), absent -> new ArrayList<>())
                            .add(scheduler.now() - since);
                }
            });
        }
    }

    /** The time that a machine's node has been busy, in milliseconds, all its calls together. */
    long busy(MachineKey machine) {
        long sum = 0;
        for (long each : done.getOrDefault(machine, List.of())) {
            sum += each;
        }
        return sum;
    }
}
