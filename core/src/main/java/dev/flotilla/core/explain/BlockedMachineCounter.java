package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many machines of a campaign wait at which gate: each is counted at the first that is closed to it. */
public final class BlockedMachineCounter {
    private BlockedMachineCounter() {}

    /**
     * Machines that wait at a gate.
     *
     * @param example one of them
     * @param message why it waits
     */
    public record BlockedMachines(int machines, MachineKey example, String message) {
        private BlockedMachines andOne() {
            return new BlockedMachines(machines + 1, example, message);
        }
    }

    public static Map<GateLabel, Integer> countByGate(
            FleetState state, GateChain gates, CampaignRollout campaign, Instant now) {
        Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
        explainByGate(state, gates, campaign, now).forEach((gate, waiting) -> counts.put(gate, waiting.machines()));
        return counts;
    }

    /** The same, with what the gate says to one of them. */
    public static Map<GateLabel, BlockedMachines> explainByGate(
            FleetState state, GateChain gates, CampaignRollout campaign, Instant now) {
        state.refreshDerivedState(gates, now);
        Map<GateLabel, BlockedMachines> waiting = new EnumMap<>(GateLabel.class);
        for (ClusterState cluster : state.clusters()) {
            for (MachineView machine : state.machines(cluster)) {
                StartCandidate candidate = state.candidateOf(campaign, machine, now);
                Gate closed = candidate != null && candidate.progressState().isWaiting()
                        ? gates.firstClosed(candidate)
                        : null;
                if (candidate != null && closed != null) {
                    BlockedMachines known = waiting.get(closed.label());
                    waiting.put(
                            closed.label(),
                            known == null
                                    ? new BlockedMachines(
                                            1,
                                            machine.key(),
                                            closed.explain(candidate).message())
                                    : known.andOne());
                }
            }
        }
        return waiting;
    }

    /** The gate at which most machines of a campaign wait, and what it says to one of them; null where none waits. */
    public static Map.@Nullable Entry<GateLabel, BlockedMachines> largestGroup(
            Map<GateLabel, BlockedMachines> waiting) {
        return waiting.entrySet().stream()
                .max(Comparator.comparingInt(gate -> gate.getValue().machines()))
                .orElse(null);
    }
}
