package dev.flotilla.simulator.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.decision.DecisionEvent;
import dev.flotilla.core.leader.DecisionBatch;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
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
 * A world without random faults: a fixed fleet, and operator actions and faults that occur when a transcript line
 * matches. The result is the transcript, without lines that repeat others.
 */
public final class TranscriptScenario {
    private static final long END = VirtualClockScheduler.BEGIN + 24L * 3600 * 1000;
    private static final long RESTART = 30_000;
    private static final int STANDBY_AND_LEADER = 2;

    /** The time after which the orchestrator knows its fleet. */
    static final long FLEET_KNOWN = 15_000;

    /** A machine is quarantined after its first failure. */
    static final RetryRule ONE_TRY = new RetryRule(1, Duration.ofMinutes(1), Duration.ofMinutes(10));

    /**
     * Lines that repeat others: assignments of partitions, reported steps that the leader then decides on, and what a
     * watcher sees of a node.
     */
    private static final Pattern REPEATED_LINES = Pattern.compile(
            "partition \\d+ goes to|reports .*StepReached\\[|#\\d+ " + DecisionEvent.INVENTORY_CHANGED.label());

    /** An action that runs once a transcript line matches. */
    private record ScriptedAction(Pattern pattern, Consumer<SimWorld> action) {}

    private final SimWorld world;
    private final Deque<ScriptedAction> actions = new ArrayDeque<>();
    private final List<String> lines = new ArrayList<>();
    private boolean actionDue;

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
        world.transcript().addListener(this::recordLine);
        world.log().onCommit((by, records, note) -> {
            if (note instanceof CommitCheckContext commit) {
                recordCommit(commit.batch());
            }
        });
    }

    /** Runs an action as soon as a line contains a text and all earlier actions have run. */
    TranscriptScenario onLine(String text, Consumer<SimWorld> act) {
        return whenMatches(Pattern.quote(text), act);
    }

    /** Runs an action as soon as a line matches a regular expression and all earlier actions have run. */
    TranscriptScenario whenMatches(String pattern, Consumer<SimWorld> act) {
        actions.add(new ScriptedAction(Pattern.compile(pattern), act));
        return this;
    }

    /** A specification that selects everything, in one wave, with one attempt for each machine. */
    public static CampaignSpecBuilder everything() {
        return new CampaignSpecBuilder(new UpgradeTarget.Channel(SnapReleases.channel(1)), MachineSelection.EVERYTHING)
                .priority(0)
                .retries(ONE_TRY);
    }

    public static Campaign campaign(CampaignName name, CampaignSpecBuilder spec) {
        return new Campaign(name, Labels.NONE, spec.build());
    }

    /** Writes a policy with a cap on the fleet, and the campaign as soon as the machines are known. */
    static Consumer<SimWorld> begin(int cap, Campaign campaign) {
        return begin(RandomPolicies.capped(cap), campaign);
    }

    /** Writes a given policy, and the campaign as soon as the machines are known. */
    static Consumer<SimWorld> begin(UpgradePolicy policy, Campaign campaign) {
        return world -> {
            world.operatorTables().write(policy);
            world.scheduler().after(FLEET_KNOWN, () -> world.operatorTables().write(campaign));
        };
    }

    /** A label set with one label. */
    static Labels labels(String key, String value) {
        SortedMap<String, String> labels = new TreeMap<>();
        labels.put(key, value);
        return new Labels(labels);
    }

    /** Kills the leader: decisions that it has not committed are lost. */
    static void killLeader(SimWorld world) {
        world.orchestrators().stream()
                .filter(SimOrchestrator::isLeader)
                .forEach(leader -> leader.process().crash("by kill", RESTART));
    }

    /** Whether a campaign is over. */
    static Predicate<SimWorld> isOver(CampaignName campaign) {
        return world -> {
            CampaignStatus status = world.operatorTables().status(campaign);
            return status != null && status.state().isOver();
        };
    }

    /** Runs the world until it is done. Returns its transcript. */
    String play(Consumer<SimWorld> begin, Predicate<SimWorld> isDone) {
        world.transcript()
                .append(
                        "world",
                        () -> world.fleet().machines().size() + " machines in "
                                + world.fleet().clusters().size() + " clusters of "
                                + world.fleet().sites().size() + " sites");
        world.start();
        begin.accept(world);
        while (!isDone.test(world)
                && !world.violations().hasViolations()
                && world.scheduler().step(END)) {
            if (actionDue) {
                actionDue = false;
                actions.remove().action().accept(world);
            }
        }
        assertThat(world.violations().violations()).isEmpty();
        assertThat(actions).as("actions whose transcript line never appeared").isEmpty();
        assertThat(isDone.test(world)).as("done before the world's end").isTrue();
        for (SimMachine machine : world.fleet().machines()) {
            world.transcript()
                    .append(
                            machine.node().name(),
                            () -> "ends at " + machine.node().revision() + ", called "
                                    + world.ledger().calls(machine.key()).size() + " times");
        }
        return String.join("\n", lines) + "\n";
    }

    private void recordLine(String line) {
        if (!REPEATED_LINES.matcher(line).find()) {
            lines.add(line);
        }
        ScriptedAction next = actions.peek();
        actionDue |= next != null && next.pattern().matcher(line).find();
    }

    private void recordCommit(DecisionBatch batch) {
        List<Long> numbers = batch.decisions().stream()
                .filter(decision -> decision.event() != DecisionEvent.INVENTORY_CHANGED)
                .map(Decision::seq)
                .toList();
        if (!numbers.isEmpty()) {
            long first = numbers.get(0);
            long last = numbers.get(numbers.size() - 1);
            world.transcript()
                    .append(batch.leader(), () -> "commits #" + first + (first == last ? "" : " to #" + last));
        }
    }
}
