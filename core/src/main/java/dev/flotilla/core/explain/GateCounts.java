package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import dev.flotilla.schemas.id.MachineKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many machines of a campaign wait at which gate: each is counted at the first that is closed to it. */
public final class GateCounts {
    private GateCounts() {}

    /**
     * Machines that wait at a gate.
     *
     * @param first one of them
     * @param says why it waits
     */
    public record Waiting(int machines, MachineKey first, String says) {
        private Waiting andOne() {
            return new Waiting(machines + 1, first, says);
        }
    }

    public static Map<GateLabel, Integer> of(FleetState state, Gates gates, CampaignRollout campaign, Instant now) {
        Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
        explained(state, gates, campaign, now).forEach((gate, waiting) -> counts.put(gate, waiting.machines()));
        return counts;
    }

    /** The same, with what the gate says to one of them. */
    public static Map<GateLabel, Waiting> explained(
            FleetState state, Gates gates, CampaignRollout campaign, Instant now) {
        state.settle(gates, now);
        Map<GateLabel, Waiting> waiting = new EnumMap<>(GateLabel.class);
        for (Cluster cluster : state.clusters()) {
            for (Machine machine : state.machines(cluster)) {
                Candidate candidate = state.candidate(campaign, machine, now);
                Gate closed = candidate != null && candidate.standing().waits() ? gates.firstClosed(candidate) : null;
                if (candidate != null && closed != null) {
                    Waiting known = waiting.get(closed.label());
                    waiting.put(
                            closed.label(),
                            known == null
                                    ? new Waiting(
                                            1,
                                            machine.key(),
                                            closed.explain(candidate).says())
                                    : known.andOne());
                }
            }
        }
        return waiting;
    }

    /** The gate at which most machines of a campaign wait, and what it says to one of them; null where none waits. */
    public static Map.@Nullable Entry<GateLabel, Waiting> most(Map<GateLabel, Waiting> waiting) {
        return waiting.entrySet().stream()
                .max(Comparator.comparingInt(gate -> gate.getValue().machines()))
                .orElse(null);
    }
}
