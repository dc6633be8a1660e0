package dev.flotilla.core.explain;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.Candidate;
import dev.flotilla.core.fleet.Cluster;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Machine;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.core.gate.Gates;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;

/** How many machines of a campaign wait at which gate: each is counted at the first that is closed to it. */
public final class GateCounts {
    private GateCounts() {}

    public static Map<GateLabel, Integer> of(FleetState state, Gates gates, CampaignRollout campaign, Instant now) {
        state.settle(gates, now);
        Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
        for (Cluster cluster : state.clusters()) {
            for (Machine machine : state.machines(cluster)) {
                Candidate candidate = state.candidate(campaign, machine, now);
                if (candidate != null && candidate.standing().waits()) {
                    Gate closed = gates.firstClosed(candidate);
                    if (closed != null) {
                        counts.merge(closed.label(), 1, Integer::sum);
                    }
                }
            }
        }
        return counts;
    }
}
