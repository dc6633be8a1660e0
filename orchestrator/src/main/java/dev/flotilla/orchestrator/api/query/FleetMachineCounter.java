package dev.flotilla.orchestrator.api.query;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineSummary;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.MachineView;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.orchestrator.api.answer.MachineMapState;
import dev.flotilla.orchestrator.state.StateView;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.kube.LabelKeys;
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

/** Counts what only a scan of all machines can find. */
public final class FleetMachineCounter {
    /** The label of machines that no gate blocks. */
    public static final String NO_GATE = "none";

    private final FleetScan<List<CountedMachine>> fleetScan;
    private final Map<String, Map<MachineMapState, Integer>> sites = new TreeMap<>();
    private final Map<String, Integer> deferredMachines = new TreeMap<>();
    private final Map<String, Integer> dirtyMachines = new TreeMap<>();
    private final Map<String, Integer> blockedByGate = zeroCounts();
    private final Map<CampaignName, Map<String, Integer>> blockedByCampaign = new HashMap<>();
    private final Map<ClusterKey, Set<MachineMapState>> controlPlanes = new HashMap<>();

    /** A machine as one query saw it. */
    private record CountedMachine(
            ClusterKey cluster, boolean controlPlane, boolean deferred, boolean dirty, MachineSummary summary) {}

    public FleetMachineCounter(StateQueryClient stateQueryClient) {
        fleetScan = new FleetScan<>(
                stateQueryClient, FleetMachineCounter::inspectMachines, counted -> counted.forEach(this::addMachine));
    }

    public Future<Void> countMachines() {
        return fleetScan.scanAll();
    }

    public boolean isComplete() {
        return fleetScan.isComplete();
    }

    /** The number of machines of a site in a state. */
    public int machinesInState(String site, MachineMapState machineMapState) {
        return sites.getOrDefault(site, Map.of()).getOrDefault(machineMapState, 0);
    }

    /** Machines of a site that wait because their worker has deferred the start repeatedly. */
    public int deferredMachines(String site) {
        return deferredMachines.getOrDefault(site, 0);
    }

    /** Machines of a site with changes that were accepted and not applied. */
    public int dirtyMachines(String site) {
        return dirtyMachines.getOrDefault(site, 0);
    }

    /** Waiting machines by the first gate that blocks entry. */
    public Map<String, Integer> blockedByGate() {
        return blockedByGate;
    }

    /** The gate that blocks most machines of a campaign. */
    public String gateOf(CampaignName campaign) {
        Map<String, Integer> counts = blockedByCampaign.getOrDefault(campaign, Map.of());
        String most = GateLabel.CLAIMED_BY_OTHER.label();
        int machines = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > machines) {
                most = entry.getKey();
                machines = entry.getValue();
            }
        }
        return most;
    }

    /** Control planes of a site with machines at the target, others waiting or quarantined, and none in flight. */
    public int halfUpgradedControlPlanes(String site) {
        return (int) controlPlanes.entrySet().stream()
                .filter(entry -> entry.getKey().site().name().equals(site))
                .filter(entry -> isHalfUpgraded(entry.getValue()))
                .count();
    }

    /** A count of zero for each gate, in the gates' order. */
    static Map<String, Integer> zeroCounts() {
        Map<String, Integer> counts = new TreeMap<>();
        counts.put(NO_GATE, 0);
        for (GateLabel gate : GateLabel.values()) {
            counts.put(gate.label(), 0);
        }
        return counts;
    }

    private static boolean isHalfUpgraded(Set<MachineMapState> members) {
        return members.contains(MachineMapState.SUCCEEDED)
                && (members.contains(MachineMapState.WAITING) || members.contains(MachineMapState.QUARANTINED))
                && !members.contains(MachineMapState.IN_FLIGHT)
                && !members.contains(MachineMapState.UNKNOWN);
    }

    private void addMachine(CountedMachine countedMachine) {
        MachineMapState machineMapState =
                MachineMapState.of(countedMachine.summary().state());
        sites.computeIfAbsent(countedMachine.cluster().site().name(), key -> new EnumMap<>(MachineMapState.class))
                .merge(machineMapState, 1, Integer::sum);
        dirtyMachines.merge(countedMachine.cluster().site().name(), countedMachine.dirty() ? 1 : 0, Integer::sum);
        if (countedMachine.controlPlane()) {
            controlPlanes
                    .computeIfAbsent(countedMachine.cluster(), key -> EnumSet.noneOf(MachineMapState.class))
                    .add(machineMapState);
        }
        if (machineMapState == MachineMapState.WAITING) {
            deferredMachines.merge(
                    countedMachine.cluster().site().name(), countedMachine.deferred() ? 1 : 0, Integer::sum);
            GateLabel gate = countedMachine.summary().gate();
            addWaiting(
                    gate == null ? NO_GATE : gate.label(),
                    countedMachine.summary().rolloutRef());
        }
    }

    private void addWaiting(String gate, @Nullable RolloutRef rolloutRef) {
        blockedByGate.merge(gate, 1, Integer::sum);
        if (rolloutRef instanceof RolloutRef.CampaignRef campaign) {
            blockedByCampaign
                    .computeIfAbsent(campaign.name(), key -> new TreeMap<>())
                    .merge(gate, 1, Integer::sum);
        }
    }

    private static List<CountedMachine> inspectMachines(StateView view, List<MachineView> machines) {
        List<CountedMachine> counted = new ArrayList<>(machines.size());
        for (MachineView machine : machines) {
            ClusterState cluster = machine.cluster();
            if (cluster != null && !cluster.isPlaceholder()) {
                MachineSummary machineSummary =
                        MachineExplainer.summarizeMachine(view.state(), view.gates(), machine, view.now());
                counted.add(new CountedMachine(
                        cluster.key(),
                        machine.isControlPlane(),
                        isDeferred(machine, machineSummary),
                        machine.labels().get(LabelKeys.DIRTY) != null,
                        machineSummary));
            }
        }
        return counted;
    }

    private static boolean isDeferred(MachineView machine, MachineSummary machineSummary) {
        StartDeferral deferral =
                machineSummary.rolloutRef() == null ? null : machine.deferral(machineSummary.rolloutRef());
        return deferral != null && deferral.isLasting();
    }
}
