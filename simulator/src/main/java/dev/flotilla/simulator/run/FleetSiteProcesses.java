package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.worker.SimSiteWorkers;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.SimProcess;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processes of all sites of a fleet: a watcher and workers for each site. Orchestrators are separate. */
public final class FleetSiteProcesses {
    private final Map<SiteId, SimWatcher> watchers = new LinkedHashMap<>();
    private final List<SimSiteWorkers> workers = new ArrayList<>();
    private final Map<SiteId, List<SimProcess>> bySite = new LinkedHashMap<>();

    /**
     * The settings of the processes.
     *
     * @param workersPerSite how many workers share a site's commands
     * @param safeguards the workers' safeguards
     * @param maxClockSkewMillis how far a clock may be off, in milliseconds
     * @param speedFactor how many times faster than usual the processes are
     */
    public record SiteProcessConfig(
            int workersPerSite, WorkerSafeguards safeguards, int maxClockSkewMillis, int speedFactor) {}

    /** Creates processes for the current sites of a fleet. They do not run yet. */
    public FleetSiteProcesses(
            SimFleet fleet,
            SimKafkaLog log,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            SiteProcessConfig siteProcessConfig) {
        for (SimSite site : fleet.sites()) {
            SimWatcher watcher = new SimWatcher(
                    process("watcher." + site.id(), scheduler, faults, transcript, chance, siteProcessConfig),
                    site,
                    log,
                    scheduler,
                    transcript);
            fleet.watch(site.id(), watcher::objectChanged);
            watchers.put(site.id(), watcher);
            List<SimProcess> processes = new ArrayList<>();
            for (int i = 1; i <= siteProcessConfig.workersPerSite(); i++) {
                processes.add(process(
                        "worker." + site.id() + "." + i, scheduler, faults, transcript, chance, siteProcessConfig));
            }
            List<SimProcess> all = new ArrayList<>(processes);
            all.add(watcher.process());
            bySite.put(site.id(), all);
            workers.add(new SimSiteWorkers(
                    site,
                    log,
                    scheduler,
                    faults,
                    transcript,
                    chance.split("group " + site.id()),
                    siteProcessConfig.safeguards(),
                    processes));
        }
    }

    private static SimProcess process(
            String name,
            VirtualClockScheduler scheduler,
            FaultRateSchedule faults,
            Transcript transcript,
            SeededRandom chance,
            SiteProcessConfig siteProcessConfig) {
        SeededRandom own = chance.split(name);
        long skew = own.between(-siteProcessConfig.maxClockSkewMillis(), siteProcessConfig.maxClockSkewMillis());
        return new SimProcess(name, scheduler, faults, transcript, own, skew, siteProcessConfig.speedFactor());
    }

    /** Starts all processes. */
    public void start() {
        watchers.values().forEach(watcher -> watcher.process().start());
        workers.forEach(SimSiteWorkers::start);
    }

    public Map<SiteId, SimWatcher> watchers() {
        return Collections.unmodifiableMap(watchers);
    }

    public List<SimSiteWorkers> workers() {
        return Collections.unmodifiableList(workers);
    }

    /** The processes that call nodes. */
    public List<SimProcess> workerProcesses() {
        List<SimProcess> all = new ArrayList<>();
        workers.forEach(site -> all.addAll(site.processes()));
        return all;
    }

    /** The processes of each site. */
    public Map<SiteId, List<SimProcess>> bySite() {
        return Collections.unmodifiableMap(bySite);
    }
}
