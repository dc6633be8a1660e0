package dev.flotilla.orchestrator.api;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.fleet.StartCandidate;
import dev.flotilla.core.gate.Gate;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.id.CampaignName;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts at which gates the machines of a campaign wait. */
final class BlockedMachineScan {
    private final CampaignName name;
    private final FleetScan<ChunkCounts> fleetScan;
    private final Promise<Void> whenDone = Promise.promise();
    private final Map<GateLabel, Integer> counts = new EnumMap<>(GateLabel.class);
    private int free;

    /** What one question counted. */
    private record ChunkCounts(Map<GateLabel, Integer> counts, int free) {}

    BlockedMachineScan(StateQueryClient stateQueryClient, CampaignName name) {
        this.name = name;
        fleetScan = new FleetScan<>(stateQueryClient, this::count, this::add);
    }

    Future<Void> runScan() {
        fleetScan.scanAll().onComplete(whenDone);
        return whenDone.future();
    }

    /** Completed when there is nothing more to count, or no way to. */
    Future<Void> whenDone() {
        return whenDone.future();
    }

    boolean isDone() {
        return whenDone.future().isComplete();
    }

    BlockedMachineCounts currentCounts() {
        return BlockedMachineCounts.of(fleetScan.asOf(), fleetScan.isComplete(), free, counts);
    }

    private ChunkCounts count(StateView view, List<MachineView> machines) {
        Map<GateLabel, Integer> here = new EnumMap<>(GateLabel.class);
        CampaignRollout campaign = view.state().rollout(name);
        if (campaign == null) {
            return new ChunkCounts(here, 0);
        }
        int open = 0;
        for (MachineView machine : machines) {
            StartCandidate candidate = view.state().candidateOf(campaign, machine, view.now());
            if (candidate != null && candidate.progressState().isWaiting()) {
                Gate closed = view.gates().firstClosed(candidate);
                if (closed == null) {
                    open++;
                } else {
                    here.merge(closed.label(), 1, Integer::sum);
                }
            }
        }
        return new ChunkCounts(here, open);
    }

    private void add(ChunkCounts chunkCounts) {
        chunkCounts.counts().forEach((gate, count) -> counts.merge(gate, count, Integer::sum));
        free += chunkCounts.free();
    }
}
