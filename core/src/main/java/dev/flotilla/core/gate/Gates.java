package dev.flotilla.core.gate;

import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Judge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The gates, asked in their order. A list, so that a test can put a broken one in another's place. */
public final class Gates implements Judge {
    private final List<Gate> all;
    private final Map<Level, Tier> byLevel = new EnumMap<>(Level.class);

    /**
     * The gates of a level. The one that closed last is asked first: what is closed to one machine is closed by the same to its
     * neighbours, and to all of them as often as their cluster is touched.
     */
    private static final class Tier {
        private final List<Gate> gates;
        private int closedLast;

        Tier(List<Gate> gates) {
            this.gates = gates;
        }

        boolean isOpen(Candidate candidate) {
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

    public Gates(List<Gate> all) {
        this.all = List.copyOf(all);
        for (Level level : Level.values()) {
            byLevel.put(
                    level,
                    new Tier(this.all.stream()
                            .filter(gate -> gate.level() == level)
                            .toList()));
        }
    }

    /** All gates of this version, in their order. */
    public static Gates standard() {
        List<Gate> gates = new ArrayList<>();
        gates.addAll(FleetGates.all());
        gates.addAll(SiteGates.all());
        gates.addAll(RolloutGates.all());
        gates.addAll(WindowGates.all());
        gates.addAll(CapGates.all());
        gates.addAll(ClusterGates.all());
        gates.addAll(MachineGates.all());
        gates.sort(Comparator.comparing(Gate::label));
        return new Gates(gates);
    }

    /** These gates with those of one label changed. */
    public Gates with(GateLabel label, UnaryOperator<Gate> change) {
        return new Gates(all.stream()
                .map(gate -> gate.label() == label ? change.apply(gate) : gate)
                .toList());
    }

    public List<Gate> all() {
        return all;
    }

    @Override
    public boolean isOpen(Level level, Candidate candidate) {
        Tier tier = byLevel.get(level);
        return tier == null || tier.isOpen(candidate);
    }

    /** The first gate that is closed to a candidate; null where all are open. */
    public @Nullable Gate firstClosed(Candidate candidate) {
        for (Gate gate : all) {
            if (!gate.isOpen(candidate)) {
                return gate;
            }
        }
        return null;
    }

    /** Everything that is closed to a candidate now, in the gates' order. */
    public List<Closed> closed(Candidate candidate) {
        List<Closed> closed = new ArrayList<>();
        for (Gate gate : all) {
            if (!gate.isOpen(candidate)) {
                closed.add(gate.explain(candidate));
            }
        }
        return closed;
    }

    /** The first closed gate that does at least this to a command that is out; null for none. */
    public @Nullable Gate firstClosed(Candidate candidate, Gate.Hold atLeast) {
        for (Gate gate : all) {
            if (gate.hold().compareTo(atLeast) >= 0 && !gate.isOpen(candidate)) {
                return gate;
            }
        }
        return null;
    }
}
