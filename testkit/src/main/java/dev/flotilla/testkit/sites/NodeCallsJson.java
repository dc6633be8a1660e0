package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The call ledger and statistics of the nodes as JSON. */
final class NodeCallsJson {
    private final NodeCallLedger callsJson;
    private final Map<MachineKey, SimNode> nodes;
    private final NodeBusyTime nodeBusyTime;

    NodeCallsJson(NodeCallLedger ledger, Map<MachineKey, SimNode> nodes, VirtualClockScheduler scheduler) {
        this.callsJson = ledger;
        this.nodes = nodes;
        this.nodeBusyTime = new NodeBusyTime(nodes, ledger, scheduler);
    }

    /** Every call that a node received. */
    JsonValue callsJson() {
        List<JsonValue> calls = new ArrayList<>();
        for (NodeCallLedger.NodeCall call : callsJson.calls()) {
            SimNode node = nodes.get(call.machine());
            calls.add(new JsonObjectReader.Builder()
                    .put("machine", call.machine().toString())
                    .put("node", node == null ? "" : node.name())
                    .put("at", Instant.ofEpochMilli(call.calledAt()).toString())
                    .put("changeId", call.changeId())
                    .put("effective", call.effective())
                    .put("rejected", call.rejected())
                    .put("attempt", call.attempt())
                    .build());
        }
        return new JsonObjectReader.Builder()
                .put("calls", list(calls))
                .put("maxInFlight", callsJson.maxInFlight())
                .build();
    }

    /** How often each node was called, and how long it worked. */
    JsonObjectReader.Builder statisticsJson() {
        List<JsonValue> machines = new ArrayList<>();
        for (MachineKey machine : nodes.keySet()) {
            machines.add(new JsonObjectReader.Builder()
                    .put("machine", machine.toString())
                    .put("calls", callsJson.calls(machine).size())
                    .put("busyMillis", nodeBusyTime.millis(machine))
                    .build());
        }
        return new JsonObjectReader.Builder()
                .put("inFlight", callsJson.inFlight())
                .put("maxInFlight", callsJson.maxInFlight())
                .put("calls", callsJson.calls().size())
                .put("machines", list(machines));
    }

    static JsonValue list(List<JsonValue> items) {
        return new JsonValue.JsonArray(items, JsonValue.NO_LINE);
    }
}
