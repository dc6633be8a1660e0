package dev.flotilla.testkit.sites;

import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.log.SimLog;
import dev.flotilla.simulator.node.Ledger;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.SiteProcesses;
import dev.flotilla.simulator.worker.WorkerHabits;
import dev.flotilla.simulator.world.Chance;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import dev.flotilla.simulator.world.Story;

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
    private final SimFleet fleet = new SimFleet();
    private final Ledger ledger = new Ledger();
    private final SiteProcesses processes;
    private final Busy busy;
    private final SiteKills kills;

    SitesWorld(SitesSpec spec, long begin) {
        this.scheduler = new Scheduler(begin);
        this.log = new SimLog(scheduler);
        Story story = new Story(scheduler, false);
        Chance chance = new Chance(spec.seed());
        new SitesFleet(spec)
                .furnish(fleet, new NodeMaker(scheduler, story, ledger, chance.split("nodes"), begin, spec.speed()));
        this.processes = new SiteProcesses(
                fleet,
                log,
                scheduler,
                Faults.none(scheduler),
                story,
                chance,
                new SiteProcesses.Manner(WORKERS_PER_SITE, WorkerHabits.GOOD, 0, HASTE));
        this.busy = new Busy(fleet, ledger, scheduler);
        this.kills = new SiteKills(processes, log, ledger, scheduler);
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

    Busy busy() {
        return busy;
    }

    SiteKills kills() {
        return kills;
    }
}
