package dev.flotilla.simulator.run;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.check.UnfinishedMachines;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether all work in a world has ended, and what is stuck if not. */
final class CompletionCheck {
    private static final int MAX_REPORTED = 20;

    private final SimWorld world;
    private final UnfinishedMachines unfinishedMachines;
    private final Set<SiteId> faultySites;

    /**
     * Creates the check of a world.
     *
     * @param outside the sites whose fault is permanent
     */
    CompletionCheck(SimWorld world, Set<SiteId> outside) {
        this.world = world;
        this.faultySites = Set.copyOf(outside);
        this.unfinishedMachines = new UnfinishedMachines(world.committedRows());
    }

    /** Whether every campaign has been accepted and is over, and no machine has unfinished work. */
    boolean isComplete() {
        return world.operatorTables().campaigns().keySet().stream()
                        .allMatch(name -> world.operatorTables().status(name) != null)
                && isAllOutside(unfinishedMachines.machines())
                && unfinishedMachines.idleCampaigns().isEmpty()
                && unexplained().isEmpty();
    }

    List<SimulationReport.StuckMachine> stuckMachines() {
        long seed = world.config().seed();
        List<SimulationReport.StuckMachine> stuck = new ArrayList<>();
        FleetState state = restored();
        List<MachineKey> unexplained = unexplained();
        Set<MachineKey> bound = unfinishedMachines.boundToSites(faultySites);
        for (MachineKey key : unfinishedMachines.machines()) {
            if (stuck.size() < MAX_REPORTED && (!isOutside(key, bound) || unexplained.contains(key))) {
                stuck.add(new SimulationReport.StuckMachine(seed, key.toString(), firstClosedGate(state, key)));
            }
        }
        for (CampaignStatus campaign : unfinishedMachines.idleCampaigns()) {
            stuck.add(new SimulationReport.StuckMachine(
                    seed, "campaign " + campaign.name(), campaign.state().label()));
        }
        return stuck;
    }

    private boolean isAllOutside(Set<MachineKey> machines) {
        if (machines.isEmpty()) {
            return true;
        }
        Set<MachineKey> bound = faultySites.isEmpty() ? Set.of() : unfinishedMachines.boundToSites(faultySites);
        return machines.stream().allMatch(machine -> isOutside(machine, bound));
    }

    /**
     * Whether a machine belongs to a site with a permanent fault. It may have no row any more, because its attempt may
     * be open.
     */
    private boolean isOutside(MachineKey machine, Set<MachineKey> bound) {
        return faultySites.contains(machine.site()) || bound.contains(machine);
    }

    /** Unfinished machines without an explanation explanation. */
    private List<MachineKey> unexplained() {
        List<MachineKey> unexplained = new ArrayList<>();
        Set<MachineKey> left = unfinishedMachines.machines();
        if (!left.isEmpty()) {
            FleetState state = restored();
            for (MachineKey key : left) {
                MachineExplanation explanation = MachineExplainer.explainMachine(
                        state, GateChain.standard(), key, world.scheduler().instant());
                boolean inFlight =
                        world.committedRows().get(new RowKey(Table.STATUS, key)) instanceof MachineStatus status
                                && status.attempt() != null;
                if (explanation.closedGates().isEmpty() && !inFlight) {
                    unexplained.add(key);
                }
            }
        }
        return unexplained;
    }

    /** The first closed gate of a machine, as the core names it. */
    private String firstClosedGate(FleetState state, MachineKey key) {
        MachineExplanation explanation = MachineExplainer.explainMachine(
                state, GateChain.standard(), key, world.scheduler().instant());
        return explanation.closedGates().isEmpty()
                ? explanation.state() + ": " + explanation.nextStep()
                : explanation.closedGates().get(0).gate().label();
    }

    private FleetState restored() {
        List<SiteId> sites = List.copyOf(world.watchers().keySet());
        List<TablePartition> partitions = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        partitions.addAll(OrchestratorPartitions.inputs(sites));
        FleetState state = new FleetState();
        SimLogReader reader = new SimLogReader(world.log());
        for (TablePartition tablePartition : partitions) {
            for (SimLogReader.FetchedRecord fetchedRecord :
                    reader.upTo(tablePartition, world.log().end(tablePartition))) {
                RowChange rowChange = fetchedRecord.logged().rowChange();
                if (rowChange != null) {
                    state.put(rowChange);
                }
            }
        }
        return state;
    }
}
