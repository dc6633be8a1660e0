package dev.flotilla.cli.demo;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the simulated nodes say of themselves. */
final class NodeCallStatistics {
    /** How often a node was called, and how long it worked for it in milliseconds. */
    private record Of(int calls, long busy) {
        private static final Of NOTHING = new Of(0, 0);
    }

    private final Map<MachineKey, Of> machines = new LinkedHashMap<>();
    private int maxInFlight;
    private int calls;

    /** What is in {@code /stats}; nothing where that is missing. */
    NodeCallStatistics(@Nullable JsonObjectReader stats) {
        if (stats != null) {
            maxInFlight = (int) whole(stats, "maxInFlight");
            calls = (int) whole(stats, "calls");
            if (stats.get("machines") instanceof JsonValue.JsonArray all) {
                all.items().forEach(this::add);
            }
        }
    }

    private void add(JsonValue jsonValue) {
        if (jsonValue instanceof JsonObjectReader jsonObjectReader
                && jsonObjectReader.get("machine") instanceof JsonValue.JsonString name) {
            MachineKey key = RecordKeyFormat.machine(name.value());
            if (key != null) {
                machines.put(
                        key, new Of((int) whole(jsonObjectReader, "calls"), whole(jsonObjectReader, "busyMillis")));
            }
        }
    }

    private static long whole(JsonObjectReader jsonObjectReader, String name) {
        return jsonObjectReader.get(name) instanceof JsonValue.JsonInteger jsonInteger ? jsonInteger.value() : 0;
    }

    int calls(MachineKey machine) {
        return machines.getOrDefault(machine, Of.NOTHING).calls();
    }

    long busyMillis(MachineKey machine) {
        return machines.getOrDefault(machine, Of.NOTHING).busy();
    }

    /** Nodes that refreshed at one instant, at most. */
    int maxInFlight() {
        return maxInFlight;
    }

    /** Calls that all nodes together received. */
    int calls() {
        return calls;
    }

    /** Calls that one node received, at most. */
    int mostCalls() {
        return machines.values().stream().mapToInt(Of::calls).max().orElse(0);
    }
}
