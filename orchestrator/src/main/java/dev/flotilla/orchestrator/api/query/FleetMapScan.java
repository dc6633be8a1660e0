package dev.flotilla.orchestrator.api.query;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.ApiResult;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.runtime.http.HttpErrorResponse;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.MachineOutcome;
import dev.flotilla.schemas.row.RolloutEntry;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts the machines of each cluster by condition, and by blocking gate. */
final class FleetMapScan {
    private final FleetScan<List<MappedMachine>> fleetScan;
    private final Map<ClusterKey, Map<MachineMapState, Integer>> clusters = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> succeededBefore = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> quarantinedBefore = new LinkedHashMap<>();
    private final Map<GateLabel, Integer> gates = new EnumMap<>(GateLabel.class);
    private int ready;

    /** A machine as one query saw it. */
    private record MappedMachine(
            ClusterKey cluster,
            MachineSummary summary,
            @Nullable MachineOutcome outcomeBefore) {}

    FleetMapScan(StateQueryClient stateQueryClient) {
        fleetScan = new FleetScan<>(
                stateQueryClient, FleetMapScan::inspectMachines, inspected -> inspected.forEach(this::addMachine));
    }

    Future<Void> runScan() {
        return fleetScan.scanAll();
    }

    /** The counts so far, or the error of the query that failed. */
    ApiResult<FleetMapResponse> currentMap() {
        HttpErrorResponse error = fleetScan.queryError();
        if (error != null) {
            return ApiResult.failed(error);
        }
        Map<String, List<FleetMapResponse.ClusterCell>> sites = new LinkedHashMap<>();
        clusters.forEach((key, counts) -> sites.computeIfAbsent(key.site().name(), site -> new ArrayList<>())
                .add(new FleetMapResponse.ClusterCell(
                        key.namespace() + "/" + key.name(),
                        Stream.of(MachineMapState.values())
                                .map(machineMapState -> counts.getOrDefault(machineMapState, 0))
                                .toList(),
                        succeededBefore.getOrDefault(key, 0),
                        quarantinedBefore.getOrDefault(key, 0))));
        List<FleetMapResponse.SiteMap> list = new ArrayList<>();
        sites.forEach((site, cells) -> list.add(new FleetMapResponse.SiteMap(site, cells)));
        return ApiResult.found(new FleetMapResponse(
                list, BlockedMachineCounts.of(fleetScan.asOf(), fleetScan.isComplete(), ready, gates)));
    }

    boolean isComplete() {
        return fleetScan.isComplete();
    }

    private void addMachine(MappedMachine mappedMachine) {
        MachineMapState machineMapState =
                MachineMapState.of(mappedMachine.summary().state());
        clusters.computeIfAbsent(mappedMachine.cluster(), key -> new EnumMap<>(MachineMapState.class))
                .merge(machineMapState, 1, Integer::sum);
        MachineOutcome before = mappedMachine.outcomeBefore();
        if (machineMapState == MachineMapState.WAITING && before != null) {
            (before.isAtTarget() ? succeededBefore : quarantinedBefore).merge(mappedMachine.cluster(), 1, Integer::sum);
        }
        GateLabel gate = mappedMachine.summary().gate();
        if (gate != null) {
            gates.merge(gate, 1, Integer::sum);
        } else if (machineMapState == MachineMapState.WAITING) {
            ready++;
        }
    }

    private static List<MappedMachine> inspectMachines(StateView view, List<MachineView> machines) {
        List<MappedMachine> inspected = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState cluster = machine.cluster();
            if (cluster != null && !cluster.isPlaceholder()) {
                inspected.add(new MappedMachine(
                        cluster.key(),
                        MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now()),
                        findOutcomeBefore(machine)));
            }
        }
        return inspected;
    }

    /** The machine's newest outcome in another rollout if it is success or quarantine; otherwise null. */
    private static @Nullable MachineOutcome findOutcomeBefore(MachineView machine) {
        MachineOutcome last = null;
        for (RolloutEntry entry : machine.entries()) {
            MachineOutcome outcome = entry.outcome();
            last = outcome.isAtTarget() || outcome == MachineOutcome.QUARANTINED ? outcome : last;
        }
        return last;
    }
}
