package dev.flotilla.simulator.run;

import dev.flotilla.core.explain.MachineExplainer;
import dev.flotilla.core.explain.MachineExplanation;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.check.UnfinishedMachines;
import dev.flotilla.simulator.log.SimLogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether everything has come to its end, and if not, what is stuck where. */
final class CompletionCheck {
    private static final int ENOUGH = 20;

    private final SimWorld world;
    private final UnfinishedMachines unfinishedMachines;
    private final Set<SiteId> outside;

    /**
     * The end of a world.
     *
     * @param outside the sites that never become well
     */
    CompletionCheck(SimWorld world, Set<SiteId> outside) {
        this.world = world;
        this.outside = Set.copyOf(outside);
        this.unfinishedMachines = new UnfinishedMachines(world.committedRows());
    }

    /** Whether every campaign has been accepted and is over, and nobody is asked to do anything any more. */
    boolean isComplete() {
        return world.operatorTables().campaigns().keySet().stream()
                        .allMatch(name -> world.operatorTables().status(name) != null)
                && isAllOutside(unfinishedMachines.machines())
                && unfinishedMachines.idleCampaigns().isEmpty()
                && unexplained().isEmpty();
    }

    List<StuckMachine> stuckMachines() {
        long seed = world.config().seed();
        List<StuckMachine> stuck = new ArrayList<>();
        FleetState state = restored();
        List<MachineKey> unexplained = unexplained();
        Set<MachineKey> bound = unfinishedMachines.boundToSites(outside);
        for (MachineKey key : unfinishedMachines.machines()) {
            if (stuck.size() < ENOUGH && (!isOutside(key, bound) || unexplained.contains(key))) {
                stuck.add(new StuckMachine(seed, key.toString(), gate(state, key)));
            }
        }
        for (CampaignStatus campaign : unfinishedMachines.idleCampaigns()) {
            stuck.add(new StuckMachine(
                    seed, "campaign " + campaign.name(), campaign.state().label()));
        }
        return stuck;
    }

    private boolean isAllOutside(Set<MachineKey> machines) {
        if (machines.isEmpty()) {
            return true;
        }
        Set<MachineKey> bound = outside.isEmpty() ? Set.of() : unfinishedMachines.boundToSites(outside);
        return machines.stream().allMatch(machine -> isOutside(machine, bound));
    }

    /** One without a row any more, too: its attempt may be open. */
    private boolean isOutside(MachineKey machine, Set<MachineKey> bound) {
        return outside.contains(machine.site()) || bound.contains(machine);
    }

    /** Machines that have not ended, and of which nobody says why not. */
    private List<MachineKey> unexplained() {
        List<MachineKey> unexplained = new ArrayList<>();
        Set<MachineKey> left = unfinishedMachines.machines();
        if (!left.isEmpty()) {
            FleetState state = restored();
            for (MachineKey key : left) {
                MachineExplanation why = MachineExplainer.explainMachine(
                        state, GateChain.standard(), key, world.scheduler().instant());
                boolean flies = world.committedRows().get(new RowKey(Table.STATUS, key)) instanceof MachineStatus status
                        && status.attempt() != null;
                if (why.closedGates().isEmpty() && !flies) {
                    unexplained.add(key);
                }
            }
        }
        return unexplained;
    }

    /** The gate that is closed to it first, in the core's own words. */
    private String gate(FleetState state, MachineKey key) {
        MachineExplanation why = MachineExplainer.explainMachine(
                state, GateChain.standard(), key, world.scheduler().instant());
        return why.closedGates().isEmpty()
                ? why.state() + ": " + why.nextStep()
                : why.closedGates().get(0).gate().label();
    }

    private FleetState restored() {
        List<SiteId> sites = List.copyOf(world.watchers().keySet());
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.addAll(OrchestratorPartitions.inputs(sites));
        FleetState state = new FleetState();
        SimLogReader reader = new SimLogReader(world.log());
        for (TablePartition tablePartition : places) {
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
