package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.start.GateEvaluator;
import dev.flotilla.core.fleet.start.StartCandidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The gates in their order of evaluation. A list, so that a test can replace one by a broken one. */
public final class GateChain implements GateEvaluator {
    private final List<Gate> all;
    private final Map<GateLevel, GatesOfLevel> byLevel = new EnumMap<>(GateLevel.class);
    private final @Nullable GateChain preparations;
    private final @Nullable GateChain clusterUpgrades;

    /**
     * The gates of one level. The gate that closed last is evaluated first, because it usually closes the neighbouring
     * machines too.
     */
    private static final class GatesOfLevel {
        private final List<Gate> gates;
        private int closedLast;

        GatesOfLevel(List<Gate> gates) {
            this.gates = gates;
        }

        boolean isOpen(StartCandidate candidate) {
            int first = closedLast;
            if (first < gates.size() && !gates.get(first).isOpen(candidate)) {
                return false;
            }
            for (int i = 0; i < gates.size(); i++) {
                if (i != first && !gates.get(i).isOpen(candidate)) {
                    closedLast = i;
                    return false;
                }
            }
            return true;
        }
    }

    /** A chain of gates that hold back preparations and the opening of clusters as well. */
    public GateChain(List<Gate> all) {
        this(all, null, null);
    }

    private GateChain(List<Gate> all, @Nullable GateChain preparations, @Nullable GateChain clusterUpgrades) {
        this.all = List.copyOf(all);
        this.preparations = preparations;
        this.clusterUpgrades = clusterUpgrades;
        for (GateLevel level : GateLevel.values()) {
            byLevel.put(
                    level,
                    new GatesOfLevel(this.all.stream()
                            .filter(gate -> gate.level() == level)
                            .toList()));
        }
    }

    /** All gates in their order. */
    public static GateChain standard() {
        List<Gate> gates = new ArrayList<>();
        gates.addAll(FleetGates.all());
        gates.addAll(SiteGates.all());
        gates.addAll(RolloutGates.all());
        gates.addAll(MaintenanceWindowGates.all());
        gates.addAll(InFlightCapGates.all());
        gates.addAll(ClusterGates.all());
        gates.addAll(MachineGates.all());
        gates.add(PreparationGates.ofStarts());
        gates.addAll(ClusterUpgradeGates.ofStarts());
        return new GateChain(
                sorted(gates),
                new GateChain(sorted(PreparationGates.all(gates))),
                new GateChain(sorted(ClusterUpgradeGates.all(gates))));
    }

    private static List<Gate> sorted(List<Gate> gates) {
        return gates.stream().sorted(Comparator.comparing(Gate::label)).toList();
    }

    /** A copy in which the gates of one label are changed. */
    public GateChain with(GateLabel label, UnaryOperator<Gate> change) {
        return new GateChain(
                all.stream()
                        .map(gate -> gate.label() == label ? change.apply(gate) : gate)
                        .toList(),
                preparations == null ? null : preparations.with(label, change),
                clusterUpgrades == null ? null : clusterUpgrades.with(label, change));
    }

    @Override
    public GateChain forPreparations() {
        return preparations == null ? this : preparations;
    }

    @Override
    public GateChain forClusterUpgrades() {
        return clusterUpgrades == null ? this : clusterUpgrades;
    }

    public List<Gate> all() {
        return all;
    }

    @Override
    public boolean areOpen(GateLevel level, StartCandidate candidate) {
        GatesOfLevel gates = byLevel.get(level);
        return gates == null || gates.isOpen(candidate);
    }

    /** The first gate that is closed for a candidate; null if all are open. */
    public @Nullable Gate firstClosed(StartCandidate candidate) {
        for (Gate gate : all) {
            if (!gate.isOpen(candidate)) {
                return gate;
            }
        }
        return null;
    }

    /** All gates that are closed for a candidate now, in their order. */
    public List<ClosedGate> closed(StartCandidate candidate) {
        List<ClosedGate> closed = new ArrayList<>();
        for (Gate gate : all) {
            if (!gate.isOpen(candidate)) {
                closed.add(gate.explain(candidate));
            }
        }
        return closed;
    }

    /** The first closed gate with at least this lease effect; null for none. */
    public @Nullable Gate firstClosed(StartCandidate candidate, Gate.LeaseEffect atLeast) {
        for (Gate gate : all) {
            if (gate.leaseEffect().compareTo(atLeast) >= 0 && !gate.isOpen(candidate)) {
                return gate;
            }
        }
        return null;
    }
}
