package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts the machines of a campaign that are blocked by a gate. Each machine counts at its first closed gate. */
public final class BlockedMachineCounter {
    private BlockedMachineCounter() {}

    /**
     * The machines that are blocked by one gate.
     *
     * @param example one of them
     * @param message why that machine waits
     */
    public record BlockedMachines(int machines, MachineKey example, String message) {
        private BlockedMachines plusOne() {
            return new BlockedMachines(machines + 1, example, message);
        }
    }

    public static Map<GateLabel, Integer> countByGate(
            FleetState state, GateChain gates, CampaignRollout campaign, Instant now) {
        Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
        explainByGate(state, gates, campaign, now).forEach((gate, waiting) -> counts.put(gate, waiting.machines()));
        return counts;
    }

    /** The blocked machines of each gate, with an example and its message. */
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
                    BlockedMachines before = waiting.get(closed.label());
                    waiting.put(
                            closed.label(),
                            before == null
                                    ? new BlockedMachines(
                                            1,
                                            machine.key(),
                                            closed.explain(candidate).message())
                                    : before.plusOne());
                }
            }
        }
        return waiting;
    }

    /** The gate that blocks most machines; null if none waits. */
    public static Map.@Nullable Entry<GateLabel, BlockedMachines> largestGroup(
            Map<GateLabel, BlockedMachines> waiting) {
        return waiting.entrySet().stream()
                .max(Comparator.comparingInt(gate -> gate.getValue().machines()))
                .orElse(null);
    }
}
