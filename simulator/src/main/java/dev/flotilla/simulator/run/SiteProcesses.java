package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.WorkerHabits;
import dev.flotilla.simulator.worker.WorkerSite;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Story;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes of all sites of a fleet: a watcher for each, and its workers. Who leads is none of their business. */
public final class SiteProcesses {
    private final Map<SiteId, SimWatcher> watchers = new LinkedHashMap<>();
    private final List<WorkerSite> workers = new ArrayList<>();
    private final Map<SiteId, List<SimProcess>> bySite = new LinkedHashMap<>();

    /**
     * How they are.
     *
     * @param workersPerSite how many share a site's commands
     * @param habits what the workers keep to
     * @param skew how far a clock may be off, in milliseconds
     * @param haste so many times faster than usual they do what they do
     */
    public record Manner(int workersPerSite, WorkerHabits habits, int skew, int haste) {}

    /** Processes for the sites that a fleet has now. They do not run yet. */
    public SiteProcesses(
            SimFleet fleet, SimLog log, Scheduler scheduler, Faults faults, Story story, Chance chance, Manner manner) {
        for (SimSite site : fleet.sites()) {
            SimWatcher watcher = new SimWatcher(
                    process("watcher." + site.id(), scheduler, faults, story, chance, manner),
                    site,
                    log,
                    scheduler,
                    story);
            fleet.watch(site.id(), watcher::sees);
            watchers.put(site.id(), watcher);
            List<SimProcess> processes = new ArrayList<>();
            for (int i = 1; i <= manner.workersPerSite(); i++) {
                processes.add(process("worker." + site.id() + "." + i, scheduler, faults, story, chance, manner));
            }
            List<SimProcess> all = new ArrayList<>(processes);
            all.add(watcher.process());
            bySite.put(site.id(), all);
            workers.add(new WorkerSite(
                    site,
                    log,
                    scheduler,
                    faults,
                    story,
                    chance.split("group " + site.id()),
                    manner.habits(),
                    processes));
        }
    }

    private static SimProcess process(
            String name, Scheduler scheduler, Faults faults, Story story, Chance chance, Manner manner) {
        Chance own = chance.split(name);
        long skew = own.between(-manner.skew(), manner.skew());
        return new SimProcess(name, scheduler, faults, story, own, skew, manner.haste());
    }

    /** Starts all of them. */
    public void start() {
        watchers.values().forEach(watcher -> watcher.process().start());
        workers.forEach(WorkerSite::start);
    }

    public Map<SiteId, SimWatcher> watchers() {
        return Collections.unmodifiableMap(watchers);
    }

    public List<WorkerSite> workers() {
        return Collections.unmodifiableList(workers);
    }

    /** Those that call the nodes. */
    public List<SimProcess> workerProcesses() {
        List<SimProcess> all = new ArrayList<>();
        workers.forEach(site -> all.addAll(site.processes()));
        return all;
    }

    /** The processes of each site. */
    public Map<SiteId, List<SimProcess>> bySite() {
        return Collections.unmodifiableMap(bySite);
    }

    /** Every process that writes to the log or reads it. */
    public List<SimProcess> all() {
        List<SimProcess> all = workerProcesses();
        watchers.values().forEach(watcher -> all.add(watcher.process()));
        return all;
    }
}
