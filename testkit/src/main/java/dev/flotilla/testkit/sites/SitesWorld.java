package dev.flotilla.testkit.sites;

import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.log.SimKafkaLog;
import dev.flotilla.simulator.node.NodeCallLedger;
import dev.flotilla.simulator.node.SimNode;
import dev.flotilla.simulator.run.FleetSiteProcesses;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.worker.WorkerSafeguards;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.SeededRandom;
import dev.flotilla.simulator.world.Transcript;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sites with their nodes and processes, without an orchestrator. Only one thread at a time may access it. */
final class SitesWorld {
    private static final int WORKERS_PER_SITE = 2;

    /**
     * Watchers and workers live in real time, but nodes that do ten minutes' work in seconds need workers that poll
     * more often than every eight seconds.
     */
    private static final int SPEED_FACTOR = 400;

    private final VirtualClockScheduler scheduler;
    private final SimKafkaLog log;
    private final FleetSiteProcesses processes;
    private final NodeCallsJson nodes;

    /** Creates an independent world. */
    static SitesWorld createStandalone(SitesSpec spec, long begin) {
        VirtualClockScheduler scheduler = new VirtualClockScheduler(begin);
        Transcript transcript = new Transcript(scheduler, false);
        NodeCallLedger ledger = new NodeCallLedger();
        SimFleet fleet = new SimFleet();
        new SitesFleetLayout(spec)
                .createFleet(
                        fleet,
                        new SimNodeFactory(
                                scheduler,
                                transcript,
                                ledger,
                                new SeededRandom(spec.seed()).split("nodes"),
                                begin,
                                spec.speed()));
        return new SitesWorld(scheduler, fleet, ledger, spec.seed());
    }

    private SitesWorld(VirtualClockScheduler scheduler, SimFleet fleet, NodeCallLedger ledger, long seed) {
        this.scheduler = scheduler;
        this.log = new SimKafkaLog(scheduler);
        this.processes = new FleetSiteProcesses(
                fleet,
                log,
                scheduler,
                FaultRateSchedule.none(scheduler),
                new Transcript(scheduler, false),
                new SeededRandom(seed),
                new FleetSiteProcesses.SiteProcessConfig(WORKERS_PER_SITE, WorkerSafeguards.GOOD, 0, SPEED_FACTOR));
        Map<MachineKey, SimNode> all = new LinkedHashMap<>();
        fleet.machines().forEach(machine -> all.put(machine.key(), machine.node()));
        this.nodes = new NodeCallsJson(ledger, all, scheduler);
    }

    /** Runs everything that is due. */
    void advance(long now) {
        boolean more = true;
        while (more) {
            more = scheduler.step(now);
        }
    }

    VirtualClockScheduler scheduler() {
        return scheduler;
    }

    SimKafkaLog log() {
        return log;
    }

    FleetSiteProcesses processes() {
        return processes;
    }

    NodeCallsJson nodes() {
        return nodes;
    }
}
