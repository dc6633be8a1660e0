package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.DomainCap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many machines of a campaign are in flight for each value of the labels that it caps. A value that becomes full, or is no
 * longer, concerns the clusters that have machines of it, and no others.
 */
final class Domains {
    private final List<DomainCap> caps;
    private final Map<Value, Use> values = new LinkedHashMap<>();

    /** What each cluster has in it, so that it can be taken out again. */
    private final Map<ClusterKey, Map<Value, Count>> clusters = new LinkedHashMap<>();

    private final Set<Value> changed = new LinkedHashSet<>();

    private record Value(int cap, String text) {}

    private record Count(int inFlight, int machines) {
        Count plus(Count other) {
            return new Count(inFlight + other.inFlight, machines + other.machines);
        }
    }

    private static final class Use {
        private int inFlight;
        private int machines;
        private boolean full;

        /** While clusters are still being counted it may look full, and turn out not to be. */
        private boolean turnedAway;

        private final Set<ClusterKey> clusters = new LinkedHashSet<>();
    }

    Domains(List<DomainCap> caps) {
        this.caps = List.copyOf(caps);
    }

    /** Counts a rollout's machines of a cluster, those that it counted before taken out. */
    void count(Rollout rollout, Cluster cluster, Machine scratch) {
        Map<Value, Count> now = new LinkedHashMap<>();
        for (int i = 0; i < cluster.size; i++) {
            scratch.row = cluster.members[i];
            Standing standing = rollout.standing(cluster, scratch);
            for (int cap = 0; standing != Standing.NONE && cap < caps.size(); cap++) {
                String text = scratch.labels().get(caps.get(cap).label());
                if (text != null) {
                    Count one = new Count(standing.inFlight() ? 1 : 0, scratch.isPresent() ? 1 : 0);
                    now.merge(new Value(cap, text), one, Count::plus);
                }
            }
        }
        Map<Value, Count> before = clusters.get(cluster.key());
        if (now.equals(before == null ? Collections.<Value, Count>emptyMap() : before)) {
            return;
        }
        if (before != null) {
            before.forEach((value, count) -> add(cluster, value, count, -1));
        }
        now.forEach((value, count) -> add(cluster, value, count, 1));
        if (now.isEmpty()) {
            clusters.remove(cluster.key());
        } else {
            clusters.put(cluster.key(), now);
        }
    }

    private void add(Cluster cluster, Value value, Count count, int sign) {
        Use use = values.computeIfAbsent(value, absent -> new Use());
        use.inFlight += sign * count.inFlight();
        use.machines += sign * count.machines();
        if (sign > 0) {
            use.clusters.add(cluster.key());
        } else {
            use.clusters.remove(cluster.key());
        }
        changed.add(value);
    }

    void clear() {
        values.clear();
        clusters.clear();
        changed.clear();
    }

    /** The clusters that have machines of a value that has become full, or is no longer. */
    List<ClusterKey> follow() {
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
            String text = machine.labels().get(caps.get(cap).label());
            Value value = text == null ? null : new Value(cap, text);
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
        DomainCap cap = caps.get(value.cap());
        return new Domain(
                cap.label(), value.text(), use.inFlight, cap.inFlight().of(use.machines));
    }
}
