package dev.flotilla.core.fleet;

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
 * How many machines of a campaign are in flight for each value of the labels that it caps. A value that becomes full, or is no
 * longer, concerns the clusters that have machines of it, and no others.
 */
final class Domains {
    private final List<TopologyDomainCap> caps;
    private final MachineTable table;
    private final Map<Value, Use> values = new LinkedHashMap<>();

    private int unknown;
    private final Set<Value> changed = new LinkedHashSet<>();
    private final KeyedCounts now = new KeyedCounts();
    private final Pool<Value> numbers = new Pool<>();

    /** For each cap, one more than the number of the value that machines with a set of labels are of. */
    private final List<IntColumn> known = new ArrayList<>();

    private record Value(int cap, String text) {}

    private static final class Use {
        private int inFlight;
        private int machines;
        private boolean full;

        /** While clusters are still being counted it may look full, and turn out not to be. */
        private boolean turnedAway;

        private final Set<ClusterKey> clusters = new LinkedHashSet<>();
    }

    Domains(List<TopologyDomainCap> caps, MachineTable table) {
        this.caps = List.copyOf(caps);
        this.table = table;
        caps.forEach(cap -> known.add(new IntColumn()));
    }

    /** Begins to count a cluster. */
    void begin() {
        now.clear();
    }

    /** Counts a machine of the cluster, if it belongs to the rollout. */
    void tally(Machine machine, Standing standing) {
        for (int cap = 0; standing != Standing.NONE && cap < caps.size(); cap++) {
            int number = number(cap, table.labelSet(machine.row));
            if (number > 0) {
                now.add(number, 0, standing.inFlight() ? 1 : 0, machine.isPresent() ? 1 : 0);
            }
        }
    }

    /** The cluster is counted. */
    void replace(Share share) {
        if (now.since(
                share.domains,
                (number, more, came, inFlight, machines) ->
                        add(share.cluster, (int) number, came, inFlight, machines))) {
            share.domains = share.domains == null ? new KeyedCounts() : share.domains;
            share.domains.become(now);
        }
    }

    /** The number of the value that machines with a set of labels are of; zero for none. */
    private int number(int cap, int labelSet) {
        int number = known.get(cap).get(labelSet) - 1;
        if (number < 0) {
            String text = table.labelsOf(labelSet).get(caps.get(cap).label());
            number = text == null ? 0 : numbers.number(new Value(cap, text));
            known.get(cap).set(labelSet, number + 1);
        }
        return number;
    }

    private void add(Cluster cluster, int number, int came, int inFlight, int machines) {
        Value value = Objects.requireNonNull(numbers.value(number));
        Use use = values.computeIfAbsent(value, absent -> new Use());
        use.inFlight += inFlight;
        use.machines += machines;
        if (came > 0) {
            use.clusters.add(cluster.key());
        } else if (came < 0) {
            use.clusters.remove(cluster.key());
        }
        changed.add(value);
    }

    /**
     * The clusters that have machines of a value that has become full, or is no longer.
     *
     * @param inFlight machines of the campaign in flight of which nobody knows the labels: their sites cannot be read, or their
     *     inventory rows are gone
     */
    List<ClusterKey> follow(int inFlight) {
        if (unknown != inFlight) {
            unknown = inFlight;
            changed.addAll(values.keySet());
        }
        if (changed.isEmpty()) {
            return List.of();
        }
        List<ClusterKey> concerned = new ArrayList<>();
        for (Value value : changed) {
            Use use = values.get(value);
            boolean full = use != null && domain(value, use).isFull();
            if (use != null && use.clusters.isEmpty()) {
                values.remove(value);
            } else if (use != null && (use.full != full || (use.turnedAway && !full))) {
                use.full = full;
                use.turnedAway &= full;
                concerned.addAll(use.clusters);
            }
        }
        changed.clear();
        return concerned;
    }

    /** The first full domain that a machine is of; null for none. */
    @Nullable
    Domain closing(Machine machine) {
        for (int cap = 0; cap < caps.size(); cap++) {
            Value value = numbers.value(number(cap, table.labelSet(machine.row)));
            Use use = value == null ? null : values.get(value);
            if (value != null && use != null) {
                Domain domain = domain(value, use);
                if (domain.isFull()) {
                    use.turnedAway = true;
                    return domain;
                }
            }
        }
        return null;
    }

    private Domain domain(Value value, Use use) {
        TopologyDomainCap cap = caps.get(value.cap());
        return new Domain(
                cap.label(), value.text(), use.inFlight, unknown, cap.maxInFlight().of(use.machines));
    }
}
