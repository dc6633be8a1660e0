package dev.flotilla.core.fleet.limits;

import dev.flotilla.core.fleet.column.IntColumn;
import dev.flotilla.core.fleet.column.KeyedCountPairs;
import dev.flotilla.core.fleet.column.ValueInterner;
import dev.flotilla.core.fleet.inventory.MachineProgressState;
import dev.flotilla.core.fleet.inventory.MachineTable;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.TopologyDomainCap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts a campaign's machines in flight by value of the capped labels. A value that becomes full or has room again
 * affects only the clusters with machines of it.
 */
public final class TopologyDomainCounter {
    private final List<TopologyDomainCap> caps;
    private final MachineTable table;
    private final Map<DomainValue, DomainUse> values = new LinkedHashMap<>();

    private int unknown;
    private final Set<DomainValue> changed = new LinkedHashSet<>();
    private final KeyedCountPairs now = new KeyedCountPairs();
    private final ValueInterner<DomainValue> numbers = new ValueInterner<>();

    /** For each cap, the number of the value of each label set, plus one. */
    private final List<IntColumn> known = new ArrayList<>();

    private record DomainValue(int cap, String text) {}

    private static final class DomainUse {
        private int inFlight;
        private int machines;
        private boolean full;

        /** Whether a full value has blocked a machine: it may have room again when all clusters are counted. */
        private boolean hasBlockedMachine;

        private final Set<ClusterKey> clusters = new LinkedHashSet<>();
    }

    public TopologyDomainCounter(List<TopologyDomainCap> caps, MachineTable table) {
        this.caps = List.copyOf(caps);
        this.table = table;
        caps.forEach(cap -> known.add(new IntColumn()));
    }

    /** Starts counting a cluster. */
    public void begin() {
        now.clear();
    }

    /** Counts a machine of the cluster if it is a member. */
    public void tally(MachineView machine, MachineProgressState machineProgressState) {
        for (int cap = 0; machineProgressState != MachineProgressState.NONE && cap < caps.size(); cap++) {
            int number = number(cap, table.labelSet(machine.row()));
            if (number > 0) {
                now.add(number, 0, machineProgressState.isInFlight() ? 1 : 0, machine.isPresent() ? 1 : 0);
            }
        }
    }

    /** Finishes counting a cluster: replaces its former counts and returns the new ones; null for none. */
    public @Nullable KeyedCountPairs replace(ClusterKey cluster, @Nullable KeyedCountPairs before) {
        if (!now.since(
                before,
                (number, more, came, inFlight, machines) -> add(cluster, (int) number, came, inFlight, machines))) {
            return before;
        }
        return now.copyTo(before);
    }

    /** The number of the value of a label set; zero for none. */
    private int number(int cap, int labelSet) {
        int number = known.get(cap).get(labelSet) - 1;
        if (number < 0) {
            String text = table.labelsOf(labelSet).get(caps.get(cap).label());
            number = text == null ? 0 : numbers.numberOf(new DomainValue(cap, text));
            known.get(cap).set(labelSet, number + 1);
        }
        return number;
    }

    private void add(ClusterKey cluster, int number, int came, int inFlight, int machines) {
        DomainValue value = Objects.requireNonNull(numbers.value(number));
        DomainUse use = values.computeIfAbsent(value, absent -> new DomainUse());
        use.inFlight += inFlight;
        use.machines += machines;
        if (came > 0) {
            use.clusters.add(cluster);
        } else if (came < 0) {
            use.clusters.remove(cluster);
        }
        changed.add(value);
    }

    /**
     * The clusters with machines of a value that became full or has room again.
     *
     * @param inFlight the campaign's machines in flight with unknown labels: their sites are unreadable, or their
     *     inventory rows are deleted
     */
    public List<ClusterKey> updateFullDomains(int inFlight) {
        if (unknown != inFlight) {
            unknown = inFlight;
            changed.addAll(values.keySet());
        }
        if (changed.isEmpty()) {
            return List.of();
        }
        List<ClusterKey> concerned = new ArrayList<>();
        for (DomainValue value : changed) {
            DomainUse use = values.get(value);
            boolean full = use != null && domain(value, use).isFull();
            if (use != null && use.clusters.isEmpty()) {
                values.remove(value);
            } else if (use != null && (use.full != full || (use.hasBlockedMachine && !full))) {
                use.full = full;
                use.hasBlockedMachine &= full;
                concerned.addAll(use.clusters);
            }
        }
        changed.clear();
        return concerned;
    }

    /** The first full domain of a machine; null for none. */
    public @Nullable TopologyDomain fullDomainOf(MachineView machine) {
        for (int cap = 0; cap < caps.size(); cap++) {
            DomainValue value = numbers.value(number(cap, table.labelSet(machine.row())));
            DomainUse use = value == null ? null : values.get(value);
            if (value != null && use != null) {
                TopologyDomain domain = domain(value, use);
                if (domain.isFull()) {
                    use.hasBlockedMachine = true;
                    return domain;
                }
            }
        }
        return null;
    }

    private TopologyDomain domain(DomainValue value, DomainUse use) {
        TopologyDomainCap cap = caps.get(value.cap());
        return new TopologyDomain(
                cap.label(),
                value.text(),
                use.inFlight,
                unknown,
                cap.maxInFlight().of(use.machines));
    }
}
