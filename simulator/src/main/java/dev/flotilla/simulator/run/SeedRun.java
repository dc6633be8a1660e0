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

/** One seed from beginning to end. */
final class SeedRun {
    private static final long LOOK = 180_000;

    /**
     * What came of a seed.
     *
     * @param chain the journal's hash
     */
    record SeedResult(
            long seed,
            long events,
            long attempts,
            long crashes,
            List<InvariantViolation> violations,
            List<StuckMachine> stuck,
            Set<CoverageCondition> circumstances,
            String chain) {}

    private final SimWorld world;
    private final PermanentFaults lasting;
    private final CompletionCheck completionCheck;

    SeedRun(long seed, SystemUnderTest systemUnderTest, boolean told) {
        WorldConfig worldConfig = WorldConfig.of(seed);
        SeededRandom chance = new SeededRandom(seed);
        this.world = new SimWorld(
                worldConfig,
                systemUnderTest,
                told,
                new RandomFleetBuilder(worldConfig, chance.split("fleet"))::createFleet);
        this.lasting = new PermanentFaults(world);
        this.completionCheck = new CompletionCheck(world, lasting.sites());
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
        NodeFaultProfile calm = NodeFaultProfile.withoutFaults(120_000, 30);
        new RandomOperator(
                        world.chance().split("operator"),
                        world.fleet(),
                        world.operatorTables(),
                        world.scheduler(),
                        world.faults(),
                        name -> world.nodes().node(name, calm),
                        site -> Optional.ofNullable(world.watchers().get(site)).ifPresent(SimWatcher::resync),
                        world.config().operatorChangesPerHour())
                .begin();
        new ProcessFaults(world).begin();
        lasting.begin();
        TopicOutageFaults outages = new TopicOutageFaults(world, lasting.siteToWriteOff());
        outages.begin();
        TopicRecreationFaults losses = new TopicRecreationFaults(world, lasting.sites());
        losses.begin();
        new InventoryFlapFaults(world).begin();
        new MachineRecreationFaults(world).begin();
        new BackupRestoreFaults(world).begin();
        new MachineReassignmentFaults(world).begin();
        until(world.config().faultsEndAt());
        for (SimOrchestrator orchestrator : world.orchestrators()) {
            int times = orchestrator.mostFailures();
            world.verdicts()
                    .requireParkedAfterTwoFailures(orchestrator.process().name(), times);
            if (times > 0) {
                world.occurrences().addCondition(CoverageCondition.TRIPPED);
            }
        }
        if (!world.verdicts().hasViolations()) {
            ParkedWorkRecovery.unparkAll(world);
            outages.end();
            lasting.stopLostOrchestrator();
            world.transcript().append("world", () -> "from here on nothing goes wrong any more");
            for (Map.Entry<SiteId, SimWatcher> watcher : world.watchers().entrySet()) {
                watcher.getValue().resync();
            }
            new EndOfRunOperator(
                            world.fleet(),
                            world.operatorTables(),
                            world.scheduler(),
                            lasting.sites(),
                            lasting.siteToWriteOff())
                    .begin(world.fleet().machines().size());
            long next = world.scheduler().now();
            boolean reached = false;
            while (!reached
                    && next < world.config().endAt()
                    && !world.verdicts().hasViolations()) {
                next += LOOK;
                until(next);
                reached = losses.stuck().isEmpty() && completionCheck.isComplete();
            }
        }
        List<StuckMachine> stuck =
                new ArrayList<>(completionCheck.isComplete() ? List.of() : completionCheck.stuckMachines());
        stuck.addAll(losses.stuck());
        return new SeedResult(
                seed,
                world.scheduler().events(),
                world.checker().attempts(),
                world.faults().crashes(),
                world.verdicts().violations(),
                world.verdicts().hasViolations() ? List.of() : stuck,
                world.occurrences().conditions(),
                world.checker().journalHash());
    }

    private void until(long end) {
        try {
            while (!world.verdicts().hasViolations() && world.scheduler().step(end)) {
                // Each event is one step, and the first breach ends it.
            }
        } catch (RuntimeException e) {
            world.verdicts().addException(e);
        }
    }
}
