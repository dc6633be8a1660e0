package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.check.Checker;
import dev.flotilla.simulator.check.Verdicts;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.leader.Leadership;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.log.CommittedRows;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything of one world, wired up: fleet, log, processes, checker. What happens in it others decide. */
public final class World {
    private static final int WORKER_SKEW = 300;
    private static final int LEADER_SKEW = 2000;

    private final Plan plan;
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
    private final Map<SiteId, SimWatcher> watchers = new LinkedHashMap<>();
    private final List<WorkerSite> workers = new ArrayList<>();
    private final Leadership leadership;
    private final Verdicts verdicts;
    private final Checker checker;

    /** Builds a world around a fleet that {@code furnish} sets up. */
    public World(Plan plan, Variant variant, boolean told, Furnisher furnish) {
        this.plan = plan;
        this.chance = new Chance(plan.seed());
        this.faults = new Faults(scheduler, plan.rates(), plan.faultsEnd());
        this.story = new Story(scheduler, told);
        this.log = new SimLog(scheduler);
        if (!variant.fencing()) {
            log.neverFences();
        }
        log.onCommit((by, records, note) -> records.values().forEach(facts -> facts.forEach(committed::put)));
        this.nodes = new NodeMaker(scheduler, story, ledger, chance.split("nodes"), plan.faultsEnd());
        this.desk = new Desk(log, story, committed);
        furnish.furnish(fleet, nodes);
        List<SiteId> sites = new ArrayList<>();
        List<SimProcess> workerProcesses = new ArrayList<>();
        for (SimSite site : fleet.sites()) {
            sites.add(site.id());
            SimWatcher watcher =
                    new SimWatcher(process("watcher." + site.id(), WORKER_SKEW), site, log, scheduler, story);
            fleet.watch(site.id(), watcher::sees);
            watchers.put(site.id(), watcher);
            List<SimProcess> processes = new ArrayList<>();
            for (int i = 1; i <= plan.workersPerSite(); i++) {
                processes.add(process("worker." + site.id() + "." + i, WORKER_SKEW));
            }
            workerProcesses.addAll(processes);
            workers.add(new WorkerSite(
                    site,
                    log,
                    scheduler,
                    faults,
                    story,
                    chance.split("group " + site.id()),
                    variant.worker(),
                    processes));
        }
        List<SimProcess> leaders = new ArrayList<>();
        for (int i = 1; i <= plan.orchestrators(); i++) {
            leaders.add(process("orchestrator." + i, LEADER_SKEW));
        }
        this.leadership = new Leadership(
                log,
                scheduler,
                faults,
                story,
                chance.split("leader"),
                sites,
                variant.decider(),
                variant.shell(),
                plan.pace(),
                leaders);
        this.verdicts = new Verdicts(plan.seed(), scheduler, story);
        this.checker = new Checker(
                scheduler,
                verdicts,
                log,
                fleet,
                ledger,
                chance.split("checker"),
                sites,
                workerProcesses,
                leadership.orchestrators(),
                plan.comparisons());
    }

    /** Sets up the sites, clusters and machines of a world. */
    @FunctionalInterface
    public interface Furnisher {
        void furnish(SimFleet fleet, NodeMaker nodes);
    }

    private SimProcess process(String name, int skew) {
        Chance own = chance.split(name);
        return new SimProcess(name, scheduler, faults, story, own, own.between(-skew, skew));
    }

    /** Starts every process. */
    public void start() {
        watchers.values().forEach(watcher -> watcher.process().start());
        workers.forEach(WorkerSite::start);
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
        return watchers;
    }

    public List<WorkerSite> workers() {
        return workers;
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
