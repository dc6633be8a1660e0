package dev.flotilla.simulator.run;

import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.simulator.check.Checker;
import dev.flotilla.simulator.check.Verdicts;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.leader.Leadership;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.CommittedRows;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.operator.Desk;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.WorkerSite;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Everything of one world, wired up: fleet, log, processes, checker. What happens in it others decide. */
public final class World {
    private static final int WORKER_SKEW = 300;
    private static final int LEADER_SKEW = 2000;

    private final Plan plan;
    private final Circumstances circumstances;
    private final Occurrences occurrences = new Occurrences();
    private final Chance chance;
    private final Scheduler scheduler = new Scheduler();
    private final Faults faults;
    private final Story story;
    private final SimLog log;
    private final SimFleet fleet = new SimFleet();
    private final Ledger ledger = new Ledger();
    private final NodeMaker nodes;
    private final CommittedRows committed = new CommittedRows();
    private final Desk desk;
    private final SiteProcesses processes;
    private final Leadership leadership;
    private final Verdicts verdicts;
    private final Checker checker;

    /** Builds a world around a fleet that {@code furnish} sets up. */
    public World(Plan plan, Variant variant, boolean told, Furnisher furnish) {
        this.plan = plan;
        this.circumstances = Circumstances.of(plan);
        this.chance = new Chance(plan.seed());
        this.faults = new Faults(scheduler, plan.rates(), plan.faultsEnd());
        this.story = new Story(scheduler, told);
        this.log = new SimLog(scheduler);
        if (!variant.fencing()) {
            log.neverFences();
        }
        log.onCommit((by, records, note) -> records.values().forEach(facts -> facts.forEach(this::committed)));
        log.onLoss(this::lost);
        this.nodes = new NodeMaker(scheduler, story, ledger, chance.split("nodes"), plan.faultsEnd(), 1);
        this.desk = new Desk(log, story, committed);
        furnish.furnish(fleet, nodes);
        if (circumstances.toTheBrim()) {
            occurrences.note(Circumstance.TO_THE_BRIM);
            log.limits().weighEverything();
            desk.fillToTheBrim();
        }
        Variant tested = circumstances.of(variant, plan.seed(), faults::active);
        List<SiteId> sites = fleet.sites().stream().map(SimSite::id).toList();
        log.create(sites);
        this.processes = new SiteProcesses(
                fleet,
                log,
                scheduler,
                faults,
                story,
                chance,
                new SiteProcesses.Manner(plan.workersPerSite(), variant.worker(), WORKER_SKEW, 1));
        List<SimProcess> leaders = new ArrayList<>();
        for (int i = 1; i <= plan.orchestrators(); i++) {
            String name = "orchestrator." + i;
            Chance own = chance.split(name);
            long skew = own.between(-LEADER_SKEW, LEADER_SKEW);
            leaders.add(new SimProcess(name, scheduler, faults, story, own, skew, 1));
        }
        this.leadership = new Leadership(
                log,
                scheduler,
                faults,
                story,
                chance.split("leader"),
                sites,
                tested.decider(),
                tested.shell(),
                plan.pace(),
                leaders);
        this.verdicts = new Verdicts(plan.seed(), scheduler, story);
        log.onRefusal(verdicts::refused);
        this.checker = new Checker(
                scheduler,
                verdicts,
                log,
                committed,
                fleet,
                ledger,
                chance.split("checker"),
                sites,
                processes.workerProcesses(),
                leadership.orchestrators(),
                plan.comparisons());
    }

    private void committed(RowChange rowChange) {
        committed.put(rowChange);
        occurrences.wrote(rowChange);
    }

    /** Of a partition that has lost records what is left is what there is. */
    private void lost(TablePartition tablePartition) {
        committed.removeIf(at -> OrchestratorPartitions.partitionOf(at).equals(tablePartition));
        for (LogReader.Fetched left : new LogReader(log).upTo(tablePartition, log.end(tablePartition))) {
            if (left.logged().fact() != null) {
                committed.put(left.logged().fact());
            }
        }
    }

    /** What has come up so far. */
    Occurrences occurrences() {
        return occurrences;
    }

    /** Sets up the sites, clusters and machines of a world. */
    @FunctionalInterface
    public interface Furnisher {
        void furnish(SimFleet fleet, NodeMaker nodes);
    }

    /** Starts every process. */
    public void start() {
        processes.start();
        leadership.start();
    }

    public Plan plan() {
        return plan;
    }

    public Chance chance() {
        return chance;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public Faults faults() {
        return faults;
    }

    public Story story() {
        return story;
    }

    public SimLog log() {
        return log;
    }

    public SimFleet fleet() {
        return fleet;
    }

    public Ledger ledger() {
        return ledger;
    }

    public NodeMaker nodes() {
        return nodes;
    }

    public CommittedRows committed() {
        return committed;
    }

    public Desk desk() {
        return desk;
    }

    public Map<SiteId, SimWatcher> watchers() {
        return processes.watchers();
    }

    /** The watcher and the workers of a site. */
    public List<SimProcess> processesOf(SiteId site) {
        return processes.bySite().getOrDefault(site, List.of());
    }

    public List<WorkerSite> workers() {
        return processes.workers();
    }

    public List<Orchestrator> orchestrators() {
        return leadership.orchestrators();
    }

    public Verdicts verdicts() {
        return verdicts;
    }

    public Checker checker() {
        return checker;
    }
}
