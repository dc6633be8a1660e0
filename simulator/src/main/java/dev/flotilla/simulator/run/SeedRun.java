package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.check.InvariantViolation;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.operator.EndOfRunOperator;
import dev.flotilla.simulator.operator.RandomOperator;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Runs one seed from beginning to end. */
final class SeedRun {
    private static final long CHECK_INTERVAL = 180_000;

    /**
     * The result of a seed.
     *
     * @param journalHash the hash of the journal
     */
    record SeedResult(
            long seed,
            long events,
            long attempts,
            long crashes,
            List<InvariantViolation> violations,
            List<SimulationReport.StuckMachine> stuck,
            Set<CoverageCondition> conditions,
            String journalHash) {}

    private final SimWorld world;
    private final PermanentFaults permanentFaults;
    private final CompletionCheck completionCheck;

    SeedRun(long seed, SystemUnderTest systemUnderTest, boolean transcribes) {
        WorldConfig worldConfig = WorldConfig.of(seed);
        SeededRandom chance = new SeededRandom(seed);
        this.world = new SimWorld(
                worldConfig,
                systemUnderTest,
                transcribes,
                new RandomFleetBuilder(worldConfig, chance.split("fleet"))::createFleet);
        this.permanentFaults = new PermanentFaults(world);
        this.completionCheck = new CompletionCheck(world, permanentFaults.sites());
    }

    SimWorld world() {
        return world;
    }

    SeedResult run() {
        long seed = world.config().seed();
        world.transcript()
                .append(
                        "world",
                        () -> "seed " + seed + ": " + world.fleet().machines().size() + " machines in "
                                + world.fleet().clusters().size() + " clusters of "
                                + world.fleet().sites().size() + " sites");
        world.start();
        NodeFaultProfile withoutFaults = NodeFaultProfile.withoutFaults(120_000, 30);
        new RandomOperator(
                        world.chance().split("operator"),
                        world.fleet(),
                        world.operatorTables(),
                        world.scheduler(),
                        world.faults(),
                        name -> world.nodes().node(name, withoutFaults),
                        site -> Optional.ofNullable(world.watchers().get(site)).ifPresent(SimWatcher::resync),
                        world.config().operatorChangesPerHour())
                .begin();
        new ProcessFaults(world).begin();
        permanentFaults.begin();
        TopicOutageFaults outages = new TopicOutageFaults(world, permanentFaults.siteToWriteOff());
        outages.begin();
        TopicRecreationFaults losses = new TopicRecreationFaults(world, permanentFaults.sites());
        losses.begin();
        new InventoryFlapFaults(world).begin();
        new MachineRecreationFaults(world).begin();
        new BackupRestoreFaults(world).begin();
        new MachineReassignmentFaults(world).begin();
        runUntil(world.config().faultsEndAt());
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            int times = orchestrator.mostFailures();
            world.violations()
                    .requireParkedAfterTwoFailures(orchestrator.process().name(), times);
            if (times > 0) {
                world.coverage().addCondition(CoverageCondition.DECISION_FAILED);
            }
        }
        if (!world.violations().hasViolations()) {
            ParkedWorkRecovery.unparkAll(world);
            outages.end();
            permanentFaults.stopLostOrchestrator();
            world.transcript().append("world", () -> "faults end; an operator completes the remaining work");
            for (Map.Entry<SiteId, SimWatcher> watcher : world.watchers().entrySet()) {
                watcher.getValue().resync();
            }
            new EndOfRunOperator(
                            world.fleet(),
                            world.operatorTables(),
                            world.scheduler(),
                            permanentFaults.sites(),
                            permanentFaults.siteToWriteOff())
                    .begin(world.fleet().machines().size());
            long next = world.scheduler().now();
            boolean complete = false;
            while (!complete
                    && next < world.config().endAt()
                    && !world.violations().hasViolations()) {
                next += CHECK_INTERVAL;
                runUntil(next);
                complete = losses.stuck().isEmpty() && completionCheck.isComplete();
            }
        }
        List<SimulationReport.StuckMachine> stuck =
                new ArrayList<>(completionCheck.isComplete() ? List.of() : completionCheck.stuckMachines());
        stuck.addAll(losses.stuck());
        return new SeedResult(
                seed,
                world.scheduler().events(),
                world.checker().attempts(),
                world.faults().crashes(),
                world.violations().violations(),
                world.violations().hasViolations() ? List.of() : stuck,
                world.coverage().conditions(),
                world.checker().journalHash());
    }

    private void runUntil(long end) {
        try {
            while (!world.violations().hasViolations() && world.scheduler().step(end)) {
                // Each event is one step, and the first violation ends the run.
            }
        } catch (RuntimeException e) {
            world.violations().addException(e);
        }
    }
}
