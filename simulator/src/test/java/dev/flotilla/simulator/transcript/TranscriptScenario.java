package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.Decision;
import dev.flotilla.core.DecisionEvent;
import dev.flotilla.core.term.DecisionBatch;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.simulator.check.StateComparisonIntervals;
import dev.flotilla.simulator.fleet.SimMachine;
import dev.flotilla.simulator.leader.CommitCheckContext;
import dev.flotilla.simulator.leader.LeaderLoopConfig;
import dev.flotilla.simulator.leader.SimOrchestrator;
import dev.flotilla.simulator.node.SnapReleases;
import dev.flotilla.simulator.operator.RandomPolicies;
import dev.flotilla.simulator.run.SimWorld;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.run.WorldConfig;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A world in which nothing happens by chance mishap: a fixed fleet, and what people and faults do to it as soon as the
 * story comes to a certain point. It is told whole, but for what other lines say as well.
 */
public final class TranscriptScenario {
    private static final long END = VirtualClockScheduler.BEGIN + 24L * 3600 * 1000;
    private static final long RESTART = 30_000;
    private static final int STANDBY_AND_LEADER = 2;

    /** So long after the beginning the orchestrator knows its fleet. */
    static final long FLEET_KNOWN = 15_000;

    /** A machine that fails is quarantined at once. */
    static final RetryRule ONE_TRY = new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(10));

    /** Who owns which partition; what a worker reports and the leader then decides; what a watcher sees of a node. */
    private static final Pattern SAID_TWICE = Pattern.compile(
            "partition \\d+ goes to|reports .*StepReached\\[|#\\d+ " + DecisionEvent.INVENTORY_CHANGED.label());

    /** What is done once the story has come to a point. */
    private record Turn(Pattern told, Consumer<SimWorld> act) {}

    private final SimWorld world;
    private final Deque<Turn> turns = new ArrayDeque<>();
    private final List<String> lines = new ArrayList<>();
    private boolean due;

    TranscriptScenario(int sites, int machines, SimWorld.FleetSetup fleet) {
        WorldConfig worldConfig = new WorldConfig(
                1,
                machines,
                sites,
                STANDBY_AND_LEADER,
                1,
                VirtualClockScheduler.BEGIN,
                END,
                FaultRateSchedule.FaultRates.NONE,
                0,
                0,
                new LeaderLoopConfig(1000, 500, 500),
                new StateComparisonIntervals(1, 1));
        this.world = new SimWorld(worldConfig, SystemUnderTest.REAL, true, fleet);
        world.transcript().addListener(this::told);
        world.log().onCommit((by, records, note) -> {
            if (note instanceof CommitCheckContext commit) {
                committed(commit.batch());
            }
        });
    }

    /** As soon as the story says this, and all that was to come before has come, that is done. */
    TranscriptScenario onLine(String told, Consumer<SimWorld> act) {
        return whenMatches(Pattern.quote(told), act);
    }

    /** The same of what matches. */
    TranscriptScenario whenMatches(String told, Consumer<SimWorld> act) {
        turns.add(new Turn(Pattern.compile(told), act));
        return this;
    }

    /** A campaign over everything there is, in one wave. */
    public static Campaign everything(
            CampaignName name, int priority, RetryRule retries, CampaignConstraints campaignConstraints) {
        CampaignSpec spec = new CampaignSpec(
                new UpgradeTarget.Channel(SnapReleases.channel(1)),
                null,
                MachineSelection.EVERYTHING,
                List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100)),
                null,
                null,
                null,
                null,
                null,
                priority,
                new CountOrPercent.Count(1),
                true,
                retries);
        return new Campaign(name, Labels.NONE, spec.with(campaignConstraints));
    }

    /** A cap on the fleet, and a campaign as soon as its machines are known. */
    static Consumer<SimWorld> begin(int cap, Campaign campaign) {
        return begin(RandomPolicies.capped(cap), campaign);
    }

    /** The same under any policy. */
    static Consumer<SimWorld> begin(UpgradePolicy policy, Campaign campaign) {
        return world -> {
            world.operatorTables().write(policy);
            world.scheduler().after(FLEET_KNOWN, () -> world.operatorTables().write(campaign));
        };
    }

    /** One label. */
    static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        return new Labels(labels);
    }

    /** Kills whoever leads, as it stands: what it has decided and not committed is lost. */
    static void killTheLeader(SimWorld world) {
        world.orchestrators().stream()
                .filter(SimOrchestrator::isLeader)
                .forEach(leader -> leader.process().crash("by kill", RESTART));
    }

    /** Whether a campaign has ended, one way or another. */
    static Predicate<SimWorld> over(CampaignName campaign) {
        return world -> {
            CampaignStatus status = world.operatorTables().status(campaign);
            return status != null && status.state().isOver();
        };
    }

    /** Lets it happen until it is over, and tells it. */
    String play(Consumer<SimWorld> begin, Predicate<SimWorld> over) {
        world.transcript()
                .append(
                        "world",
                        () -> world.fleet().machines().size() + " machines in "
                                + world.fleet().clusters().size() + " clusters of "
                                + world.fleet().sites().size() + " sites");
        world.start();
        begin.accept(world);
        while (!over.test(world)
                && !world.violations().hasViolations()
                && world.scheduler().step(END)) {
            if (due) {
                due = false;
                turns.remove().act().accept(world);
            }
        }
        assertThat(world.violations().violations()).isEmpty();
        assertThat(turns).as("turns that the story never came to").isEmpty();
        assertThat(over.test(world)).as("over before the day is").isTrue();
        for (SimMachine machine : world.fleet().machines()) {
            world.transcript()
                    .append(
                            machine.node().name(),
                            () -> "ends at " + machine.node().revision() + ", called "
                                    + world.ledger().calls(machine.key()).size() + " times");
        }
        return String.join("\n", lines) + "\n";
    }

    private void told(String line) {
        if (!SAID_TWICE.matcher(line).find()) {
            lines.add(line);
        }
        Turn next = turns.peek();
        due |= next != null && next.told().matcher(line).find();
    }

    private void committed(DecisionBatch batch) {
        List<Long> told = batch.decisions().stream()
                .filter(decision -> decision.event() != DecisionEvent.INVENTORY_CHANGED)
                .map(Decision::seq)
                .toList();
        if (!told.isEmpty()) {
            long first = told.get(0);
            long last = told.get(told.size() - 1);
            world.transcript()
                    .append(batch.leader(), () -> "commits #" + first + (first == last ? "" : " to #" + last));
        }
    }
}
