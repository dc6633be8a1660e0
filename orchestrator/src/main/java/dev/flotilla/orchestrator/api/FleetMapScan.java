package dev.flotilla.orchestrator.api;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.BlockedMachineCounts;
import dev.flotilla.orchestrator.api.answer.FleetMapResponse;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.view.StateView;
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

/** Counts how the machines of each cluster stand, and where they wait. */
final class FleetMapScan {
    private final FleetScan<List<MappedMachine>> fleetScan;
    private final Map<ClusterKey, Map<MachineMapState, Integer>> clusters = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> succeededBefore = new LinkedHashMap<>();
    private final Map<ClusterKey, Integer> quarantinedBefore = new LinkedHashMap<>();
    private final Map<GateLabel, Integer> gates = new EnumMap<>(GateLabel.class);
    private int free;

    /** A machine as one question saw it. */
    private record MappedMachine(
            ClusterKey cluster,
            MachineSummary glance,
            @Nullable MachineOutcome before) {}

    FleetMapScan(StateQueryClient stateQueryClient) {
        fleetScan = new FleetScan<>(stateQueryClient, FleetMapScan::look, seen -> seen.forEach(this::count));
    }

    Future<Void> runScan() {
        return fleetScan.scanAll();
    }

    /** What has been found so far, or why nothing can be. */
    ApiResult<FleetMapResponse> currentMap() {
        HttpErrorResponse refused = fleetScan.queryError();
        if (refused != null) {
            return ApiResult.none(refused);
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
                list, BlockedMachineCounts.of(fleetScan.asOf(), fleetScan.isComplete(), free, gates)));
    }

    boolean isComplete() {
        return fleetScan.isComplete();
    }

    private void count(MappedMachine mappedMachine) {
        MachineMapState machineMapState =
                MachineMapState.of(mappedMachine.glance().state());
        clusters.computeIfAbsent(mappedMachine.cluster(), key -> new EnumMap<>(MachineMapState.class))
                .merge(machineMapState, 1, Integer::sum);
        MachineOutcome before = mappedMachine.before();
        if (machineMapState == MachineMapState.WAITING && before != null) {
            (before.isAtTarget() ? succeededBefore : quarantinedBefore).merge(mappedMachine.cluster(), 1, Integer::sum);
        }
        GateLabel gate = mappedMachine.glance().gate();
        if (gate != null) {
            gates.merge(gate, 1, Integer::sum);
        } else if (machineMapState == MachineMapState.WAITING) {
            free++;
        }
    }

    private static List<MappedMachine> look(StateView view, List<MachineView> machines) {
        List<MappedMachine> seen = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState home = machine.cluster();
            if (home != null && !home.isNowhere()) {
                seen.add(new MappedMachine(
                        home.key(),
                        MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now()),
                        before(machine)));
            }
        }
        return seen;
    }

    /** How a machine ended last for a campaign or an annotation, if that is worth a person's knowing; else null. */
    private static @Nullable MachineOutcome before(MachineView machine) {
        MachineOutcome last = null;
        for (RolloutEntry entry : machine.entries()) {
            MachineOutcome outcome = entry.outcome();
            last = outcome.isAtTarget() || outcome == MachineOutcome.QUARANTINED ? outcome : last;
        }
        return last;
    }
}
