package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.SiteProcesses;
import dev.flotilla.simulator.worker.WorkerHabits;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sites, their nodes and their processes, without anybody who decides. One thread at a time may touch any of it. */
final class SitesWorld {
    private static final int WORKERS_PER_SITE = 2;

    /**
     * Watchers and workers live in the time of the wall clock, yet nodes that do ten minutes' work in seconds need them
     * to look more often than every eight seconds.
     */
    private static final int HASTE = 400;

    private final Scheduler scheduler;
    private final SimLog log;
    private final SimFleet fleet;
    private final Ledger ledger;
    private final SiteProcesses processes;
    private final NodeBook nodes;

    /** A world of its own. */
    static SitesWorld alone(SitesSpec spec, long begin) {
        Scheduler scheduler = new Scheduler(begin);
        Story story = new Story(scheduler, false);
        Ledger ledger = new Ledger();
        SimFleet fleet = new SimFleet();
        new SitesFleet(spec)
                .furnish(
                        fleet,
                        new NodeMaker(
                                scheduler, story, ledger, new Chance(spec.seed()).split("nodes"), begin, spec.speed()));
        return new SitesWorld(scheduler, fleet, ledger, spec.seed());
    }

    private SitesWorld(Scheduler scheduler, SimFleet fleet, Ledger ledger, long seed) {
        this.scheduler = scheduler;
        this.log = new SimLog(scheduler);
        this.fleet = fleet;
        this.ledger = ledger;
        this.processes = new SiteProcesses(
                fleet,
                log,
                scheduler,
                Faults.none(scheduler),
                new Story(scheduler, false),
                new Chance(seed),
                new SiteProcesses.Manner(WORKERS_PER_SITE, WorkerHabits.GOOD, 0, HASTE));
        Map<MachineKey, SimNode> all = new LinkedHashMap<>();
        fleet.machines().forEach(machine -> all.put(machine.key(), machine.node()));
        this.nodes = new NodeBook(ledger, all, scheduler);
    }

    /** Lets everything happen that is due. */
    void advance(long now) {
        boolean more = true;
        while (more) {
            more = scheduler.step(now);
        }
    }

    Scheduler scheduler() {
        return scheduler;
    }

    SimLog log() {
        return log;
    }

    SimFleet fleet() {
        return fleet;
    }

    Ledger ledger() {
        return ledger;
    }

    SiteProcesses processes() {
        return processes;
    }

    NodeBook nodes() {
        return nodes;
    }
}
