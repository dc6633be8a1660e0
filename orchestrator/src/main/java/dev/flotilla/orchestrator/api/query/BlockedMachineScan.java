package dev.flotilla.orchestrator.api.query;

import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.fleet.start.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts the waiting machines of a campaign by the gate that blocks them. */
final class BlockedMachineScan {
    private final CampaignName name;
    private final FleetScan<ChunkCounts> fleetScan;
    private final Promise<Void> whenDone = Promise.promise();
    private final Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
    private int ready;

    /** The counts of one query. */
    private record ChunkCounts(Map<GateLabel, Integer> counts, int ready) {}

    BlockedMachineScan(StateQueryClient stateQueryClient, CampaignName name) {
        this.name = name;
        fleetScan = new FleetScan<>(stateQueryClient, this::countMachines, this::addCounts);
    }

    Future<Void> runScan() {
        fleetScan.scanAll().onComplete(whenDone);
        return whenDone.future();
    }

    /** Completes when all machines are counted, or when a query fails. */
    Future<Void> whenDone() {
        return whenDone.future();
    }

    boolean isDone() {
        return whenDone.future().isComplete();
    }

    BlockedMachineCounts currentCounts() {
        return BlockedMachineCounts.of(fleetScan.asOf(), fleetScan.isComplete(), ready, counts);
    }

    private ChunkCounts countMachines(StateView view, List<MachineView> machines) {
        Map<GateLabel, Integer> blocked = new EnumMap<>(GateLabel.class);
        CampaignRollout campaign = view.state().rollout(name);
        if (campaign == null) {
            return new ChunkCounts(blocked, 0);
        }
        int ready = 0;
        for (MachineView machine : machines) {
            StartCandidate candidate = view.state().candidateOf(campaign, machine, view.now());
            if (candidate != null && candidate.progressState().isWaiting()) {
                Gate closed = view.gates().firstClosed(candidate);
                if (closed == null) {
                    ready++;
                } else {
                    blocked.merge(closed.label(), 1, Integer::sum);
                }
            }
        }
        return new ChunkCounts(blocked, ready);
    }

    private void addCounts(ChunkCounts chunkCounts) {
        chunkCounts.counts().forEach((gate, count) -> counts.merge(gate, count, Integer::sum));
        ready += chunkCounts.ready();
    }
}
