package dev.flotilla.simulator.fleet;

import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.UpgradeProvider;
import java.util.SortedMap;
import java.util.TreeMap;

/** The label that names what really upgrades a machine, in worlds with several providers. A policy selects by it. */
public final class MachineProviderLabel {
    public static final String KEY = "upgraded-by";

    private MachineProviderLabel() {}

    /** Whether a machine is in a world with several providers. */
    public static boolean isOn(SimMachine machine) {
        return machine.labels.get(KEY) != null;
    }

    /** Adds the label. */
    static Labels label(Labels labels, UpgradeProvider provider) {
        SortedMap<String, String> all = new TreeMap<>(labels.values());
        all.put(KEY, provider.label());
        return new Labels(all);
    }

    /** Keeps the label when the others change. */
    static Labels keep(Labels before, Labels now) {
        String value = before.get(KEY);
        if (value == null) {
            return now;
        }
        SortedMap<String, String> all = new TreeMap<>(now.values());
        all.put(KEY, value);
        return new Labels(all);
    }

    /** Gives a new machine the provider of its cluster's machines. */
    static void copy(SimMachine from, SimMachine to) {
        to.provider = from.provider;
        to.foundProvider = from.foundProvider;
        to.labels = keep(from.labels, to.labels);
    }
}
