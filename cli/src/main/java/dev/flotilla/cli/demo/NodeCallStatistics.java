package dev.flotilla.cli.demo;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.json.tree.JsonObjectReader;
import dev.flotilla.schemas.json.tree.JsonValue;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Statistics of the calls that the simulated nodes received. */
final class NodeCallStatistics {
    /** Number of calls to a node, and how long it worked, in milliseconds. */
    private record Of(int calls, long busy) {
        private static final Of NOTHING = new Of(0, 0);
    }

    private final Map<MachineKey, Of> machines = new LinkedHashMap<>();
    private int maxInFlight;
    private int calls;
    private int upgraderObjects;

    /** Parses the response of {@code /stats}; empty if there is none. */
    NodeCallStatistics(@Nullable JsonObjectReader stats) {
        if (stats != null) {
            maxInFlight = (int) whole(stats, "maxInFlight");
            calls = (int) whole(stats, "calls");
            upgraderObjects = (int) whole(stats, "upgraderObjects");
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

    /** Largest number of nodes that refreshed at one instant. */
    int maxInFlight() {
        return maxInFlight;
    }

    /** Number of calls that all nodes received. */
    int calls() {
        return calls;
    }

    /** Number of NodeUpgrades that the API servers have created. */
    int upgraderObjects() {
        return upgraderObjects;
    }

    /** Largest number of calls that one node received. */
    int mostCalls() {
        return machines.values().stream().mapToInt(Of::calls).max().orElse(0);
    }
}
