package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.ClosedGate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.MachineKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the machines of a campaign that are blocked by a gate. Each machine counts at its first closed gate. */
public final class BlockedMachineCounter {
    private BlockedMachineCounter() {}

    /**
     * The machines that are blocked by one gate.
     *
     * @param example one of them: one that waits until a person acts, if there is one
     * @param message why that machine waits
     * @param needsPerson whether that machine waits until a person acts
     */
    public record BlockedMachines(int machines, MachineKey example, String message, boolean needsPerson) {
        private static BlockedMachines of(StartCandidate candidate, Gate closed) {
            ClosedGate explained = closed.explain(candidate);
            return new BlockedMachines(1, candidate.machine().key(), explained.message(), explained.needsPerson());
        }

        private BlockedMachines plusOne() {
            return new BlockedMachines(machines + 1, example, message, needsPerson);
        }

        private BlockedMachines plus(BlockedMachines one) {
            return one.needsPerson ? new BlockedMachines(machines + 1, one.example, one.message, true) : plusOne();
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
        Set<GateLabel> explainedHere = EnumSet.noneOf(GateLabel.class);
        for (ClusterState cluster : state.clusters()) {
            explainedHere.clear();
            for (MachineView machine : state.machines(cluster)) {
                StartCandidate candidate = state.candidateOf(campaign, machine, now);
                Gate closed = candidate != null && candidate.progressState().isWaiting()
                        ? gates.firstClosed(candidate)
                        : null;
                if (candidate != null && closed != null) {
                    BlockedMachines before = waiting.get(closed.label());
                    // One machine of each cluster is explained: most of its others wait for the same.
                    boolean first = explainedHere.add(closed.label());
                    waiting.put(
                            closed.label(),
                            before == null
                                    ? BlockedMachines.of(candidate, closed)
                                    : first && !before.needsPerson()
                                            ? before.plus(BlockedMachines.of(candidate, closed))
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
