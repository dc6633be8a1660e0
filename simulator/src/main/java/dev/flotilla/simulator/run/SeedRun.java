package dev.flotilla.simulator.run;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.simulator.check.Violation;
import dev.flotilla.simulator.leader.Orchestrator;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.operator.Operator;
import dev.flotilla.simulator.operator.Person;
import dev.flotilla.simulator.watcher.SimWatcher;
import dev.flotilla.simulator.world.Chance;
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
    record Result(
            long seed,
            long events,
            long attempts,
            long crashes,
            List<Violation> violations,
            List<Stuck> stuck,
            Set<Circumstance> circumstances,
            String chain) {}

    private final World world;
    private final LastingTrouble lasting;
    private final Ending ending;

    SeedRun(long seed, Variant variant, boolean told) {
        Plan plan = Plan.of(seed);
        Chance chance = new Chance(seed);
        this.world = new World(plan, variant, told, new RandomFleet(plan, chance.split("fleet"))::furnish);
        this.lasting = new LastingTrouble(world);
        this.ending = new Ending(world, lasting.sites());
    }

    World world() {
        return world;
    }

    Result run() {
        long seed = world.plan().seed();
        world.story()
                .tell(
                        "world",
                        () -> "seed " + seed + ": " + world.fleet().machines().size() + " machines in "
                                + world.fleet().clusters().size() + " clusters of "
                                + world.fleet().sites().size() + " sites");
        world.start();
        NodeTemper calm = NodeTemper.calm(120_000, 30);
        new Operator(
                        world.chance().split("operator"),
                        world.fleet(),
                        world.desk(),
                        world.scheduler(),
                        world.faults(),
                        name -> world.nodes().node(name, calm),
                        site -> Optional.ofNullable(world.watchers().get(site)).ifPresent(SimWatcher::resync),
                        world.plan().busyness())
                .begin();
        new Troubles(world).begin();
        lasting.begin();
        SiteOutages outages = new SiteOutages(world, lasting.away());
        outages.begin();
        SiteLosses losses = new SiteLosses(world, lasting.sites());
        losses.begin();
        new RowFlaps(world).begin();
        new Recreations(world).begin();
        new RestoredStores(world).begin();
        new RowChanges(world).begin();
        until(world.plan().faultsEnd());
        for (Orchestrator orchestrator : world.orchestrators()) {
            int times = orchestrator.mostFailures();
            world.verdicts().tripped(orchestrator.process().name(), times);
            if (times > 0) {
                world.occurrences().note(Circumstance.TRIPPED);
            }
        }
        if (!world.verdicts().any()) {
            Mending.unpark(world);
            outages.end();
            lasting.stopWhatIsUntimely();
            world.story().tell("world", () -> "from here on nothing goes wrong any more");
            for (Map.Entry<SiteId, SimWatcher> watcher : world.watchers().entrySet()) {
                watcher.getValue().resync();
            }
            new Person(world.fleet(), world.desk(), world.scheduler(), lasting.sites(), lasting.away())
                    .begin(world.fleet().machines().size());
            long next = world.scheduler().now();
            boolean reached = false;
            while (!reached && next < world.plan().end() && !world.verdicts().any()) {
                next += LOOK;
                until(next);
                reached = losses.stuck().isEmpty() && ending.reached();
            }
        }
        List<Stuck> stuck = new ArrayList<>(ending.reached() ? List.of() : ending.stuck());
        stuck.addAll(losses.stuck());
        return new Result(
                seed,
                world.scheduler().events(),
                world.checker().attempts(),
                world.faults().crashes(),
                world.verdicts().all(),
                world.verdicts().any() ? List.of() : stuck,
                world.occurrences().seen(),
                world.checker().chain());
    }

    private void until(long end) {
        try {
            while (!world.verdicts().any() && world.scheduler().step(end)) {
                // Each event is one step, and the first breach ends it.
            }
        } catch (RuntimeException e) {
            world.verdicts().threw(e);
        }
    }
}
