package dev.flotilla.orchestrator.api;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.ClusterState;
import dev.flotilla.core.fleet.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.view.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.row.RolloutRef;
import dev.flotilla.schemas.row.StartDeferral;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts what can only be found by looking at every machine. */
final class FleetMachineCounter {
    /** The label where all gates are open. */
    static final String NO_GATE = "none";

    private final FleetScan<List<CountedMachine>> fleetScan;
    private final Map<String, Map<MachineMapState, Integer>> sites = new TreeMap<>();
    private final Map<String, Integer> deferredMachines = new TreeMap<>();
    private final Map<String, Integer> blockedByGate = gates();
    private final Map<CampaignName, Map<String, Integer>> waitingOf = new HashMap<>();
    private final Map<ClusterKey, Set<MachineMapState>> controlPlanes = new HashMap<>();

    /** A machine as one question saw it. */
    private record CountedMachine(ClusterKey cluster, boolean controlPlane, boolean deferred, MachineSummary glance) {}

    FleetMachineCounter(StateQueryClient stateQueryClient) {
        fleetScan = new FleetScan<>(stateQueryClient, FleetMachineCounter::look, seen -> seen.forEach(this::count));
    }

    Future<Void> countMachines() {
        return fleetScan.scanAll();
    }

    boolean isComplete() {
        return fleetScan.isComplete();
    }

    /** How many machines of a site stand like this. */
    int machinesInState(String site, MachineMapState machineMapState) {
        return sites.getOrDefault(site, Map.of()).getOrDefault(machineMapState, 0);
    }

    /** Machines of a site that wait after their worker has refused to start them again and again. */
    int deferredMachines(String site) {
        return deferredMachines.getOrDefault(site, 0);
    }

    /** By gate, how many machines wait; each at the first that is closed to it. */
    Map<String, Integer> blockedByGate() {
        return blockedByGate;
    }

    /** The gate at which most machines of a campaign wait. */
    String gateOf(CampaignName campaign) {
        Map<String, Integer> counts = waitingOf.getOrDefault(campaign, Map.of());
        String most = GateLabel.CLAIMED_BY_OTHER.label();
        int machines = 0;
        for (Map.Entry<String, Integer> each : counts.entrySet()) {
            if (each.getValue() > machines) {
                most = each.getKey();
                machines = each.getValue();
            }
        }
        return most;
    }

    /** Control planes of a site with members at the target and others that wait or have failed, and none at work. */
    int halfUpgradedControlPlanes(String site) {
        return (int) controlPlanes.entrySet().stream()
                .filter(each -> each.getKey().site().name().equals(site))
                .filter(each -> isHalfDone(each.getValue()))
                .count();
    }

    /** How many wait, by gate, in the gates' order: none at any yet. */
    static Map<String, Integer> gates() {
        Map<String, Integer> counts = new TreeMap<>();
        counts.put(NO_GATE, 0);
        for (GateLabel gate : GateLabel.values()) {
            counts.put(gate.label(), 0);
        }
        return counts;
    }

    private static boolean isHalfDone(Set<MachineMapState> members) {
        return members.contains(MachineMapState.SUCCEEDED)
                && (members.contains(MachineMapState.WAITING) || members.contains(MachineMapState.QUARANTINED))
                && !members.contains(MachineMapState.IN_FLIGHT)
                && !members.contains(MachineMapState.UNKNOWN);
    }

    private void count(CountedMachine countedMachine) {
        MachineMapState machineMapState =
                MachineMapState.of(countedMachine.glance().state());
        sites.computeIfAbsent(countedMachine.cluster().site().name(), key -> new EnumMap<>(MachineMapState.class))
                .merge(machineMapState, 1, Integer::sum);
        if (countedMachine.controlPlane()) {
            controlPlanes
                    .computeIfAbsent(countedMachine.cluster(), key -> EnumSet.noneOf(MachineMapState.class))
                    .add(machineMapState);
        }
        if (machineMapState == MachineMapState.WAITING) {
            deferredMachines.merge(
                    countedMachine.cluster().site().name(), countedMachine.deferred() ? 1 : 0, Integer::sum);
            GateLabel gate = countedMachine.glance().gate();
            waits(gate == null ? NO_GATE : gate.label(), countedMachine.glance().rolloutRef());
        }
    }

    private void waits(String gate, @Nullable RolloutRef rolloutRef) {
        blockedByGate.merge(gate, 1, Integer::sum);
        if (rolloutRef instanceof RolloutRef.CampaignRef campaign) {
            waitingOf.computeIfAbsent(campaign.name(), key -> new TreeMap<>()).merge(gate, 1, Integer::sum);
        }
    }

    private static List<CountedMachine> look(StateView view, List<MachineView> machines) {
        List<CountedMachine> seen = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState home = machine.cluster();
            if (home != null && !home.isNowhere()) {
                MachineSummary machineSummary =
                        MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now());
                seen.add(new CountedMachine(
                        home.key(), machine.isControlPlane(), isDeferred(machine, machineSummary), machineSummary));
            }
        }
        return seen;
    }

    private static boolean isDeferred(MachineView machine, MachineSummary machineSummary) {
        StartDeferral deferral =
                machineSummary.rolloutRef() == null ? null : machine.deferral(machineSummary.rolloutRef());
        return deferral != null && deferral.isLasting();
    }
}
