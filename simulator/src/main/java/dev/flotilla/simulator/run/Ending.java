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
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.simulator.check.Unfinished;
import dev.flotilla.simulator.log.LogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether everything has come to its end, and if not, what is stuck where. */
final class Ending {
    private static final int ENOUGH = 20;

    private final World world;
    private final Unfinished unfinished;
    private final Set<SiteId> outside;

    /**
     * The end of a world.
     *
     * @param outside the sites that never become well
     */
    Ending(World world, Set<SiteId> outside) {
        this.world = world;
        this.outside = Set.copyOf(outside);
        this.unfinished = new Unfinished(world.committed());
    }

    /** Whether every campaign has been accepted and is over, and nobody is asked to do anything any more. */
    boolean reached() {
        return world.desk().campaigns().keySet().stream()
                        .allMatch(name -> world.desk().status(name) != null)
                && isAllOutside(unfinished.machines())
                && unfinished.idleCampaigns().isEmpty()
                && unexplained().isEmpty();
    }

    List<Stuck> stuck() {
        long seed = world.plan().seed();
        List<Stuck> stuck = new ArrayList<>();
        FleetState state = restored();
        List<MachineKey> unexplained = unexplained();
        Set<MachineKey> bound = unfinished.bound(outside);
        for (MachineKey key : unfinished.machines()) {
            if (stuck.size() < ENOUGH && (!isOutside(key, bound) || unexplained.contains(key))) {
                stuck.add(new Stuck(seed, key.toString(), gate(state, key)));
            }
        }
        for (CampaignStatus campaign : unfinished.idleCampaigns()) {
            stuck.add(new Stuck(
                    seed, "campaign " + campaign.name(), campaign.state().label()));
        }
        return stuck;
    }

    private boolean isAllOutside(Set<MachineKey> machines) {
        if (machines.isEmpty()) {
            return true;
        }
        Set<MachineKey> bound = outside.isEmpty() ? Set.of() : unfinished.bound(outside);
        return machines.stream().allMatch(machine -> isOutside(machine, bound));
    }

    /** One without a row any more, too: its attempt may be open. */
    private boolean isOutside(MachineKey machine, Set<MachineKey> bound) {
        return outside.contains(machine.site()) || bound.contains(machine);
    }

    /** Machines that have not ended, and of which nobody says why not. */
    private List<MachineKey> unexplained() {
        List<MachineKey> unexplained = new ArrayList<>();
        Set<MachineKey> left = unfinished.machines();
        if (!left.isEmpty()) {
            FleetState state = restored();
            for (MachineKey key : left) {
                MachineExplanation why = MachineExplainer.explainMachine(
                        state, GateChain.standard(), key, world.scheduler().instant());
                boolean flies = world.committed().get(new RowKey(Table.STATUS, key)) instanceof MachineStatus status
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
        MachineExplanation why =
                MachineExplainer.explainMachine(state, GateChain.standard(), key, world.scheduler().instant());
        return why.closedGates().isEmpty()
                ? why.state() + ": " + why.nextStep()
                : why.closedGates().get(0).gate().label();
    }

    private FleetState restored() {
        List<SiteId> sites = List.copyOf(world.watchers().keySet());
        List<TablePartition> places = new ArrayList<>(OrchestratorPartitions.outputs(sites));
        places.addAll(OrchestratorPartitions.inputs(sites));
        FleetState state = new FleetState();
        LogReader reader = new LogReader(world.log());
        for (TablePartition tablePartition : places) {
            for (LogReader.Fetched fetched : reader.upTo(tablePartition, world.log().end(tablePartition))) {
                RowChange rowChange = fetched.logged().fact();
                if (rowChange != null) {
                    state.put(rowChange);
                }
            }
        }
        return state;
    }
}
