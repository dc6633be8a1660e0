package dev.flotilla.simulator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.CampaignConstraints;
import dev.flotilla.simulator.check.Comparisons;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeTemper;
import dev.flotilla.simulator.operator.Policies;
import dev.flotilla.simulator.run.NodeMaker;
import dev.flotilla.simulator.run.Plan;
import dev.flotilla.simulator.run.Variant;
import dev.flotilla.simulator.run.World;
import dev.flotilla.simulator.transcript.Scenario;
import dev.flotilla.simulator.world.Faults;
import dev.flotilla.simulator.world.Scheduler;
import org.junit.jupiter.api.Test;

/** Decisions are dated by whoever leads, and their dates never go back: one that is ahead outlives who set it. */
class ClockTest {
    private static final long MINUTE = 60_000;
    private static final long AHEAD = 5 * MINUTE;
    private static final long DAY = Scheduler.BEGIN + 24 * 60 * MINUTE;

    private final World world = new World(
            new Plan(
                    1,
                    1,
                    1,
                    2,
                    1,
                    DAY,
                    DAY,
                    Faults.Rates.NONE,
                    0,
                    0,
                    new LeaderPace(1000, 500, 500),
                    new Comparisons(1, 1)),
            Variant.REAL,
            true,
            ClockTest::furnish);

    @Test
    void nothingStartsUntilTheTimeHasCaughtUpWithALeaderThatWasAhead() {
        world.start();
        world.desk().write(Policies.capped(1));
        pass(MINUTE);
        Orchestrator first = leader();
        world.faults().jumpClock(first.process().name(), AHEAD);
        pass(MINUTE);
        assertThat(world.story().text()).contains("clock-changed fleet: differs");
        world.desk().write(Scenario.everything(new CampaignName("upgrade"), 0, RetryRule.DEFAULT, CampaignConstraints.NONE));
        pass(MINUTE);

        first.process().crash("by kill", 10 * MINUTE);
        pass(MINUTE);
        assertThat(leader()).isNotSameAs(first);
        assertThat(world.story().text()).contains("campaign-accepted").doesNotContain("attempt-admitted");

        pass(AHEAD);
        assertThat(world.story().text()).contains("clock-changed fleet: agrees", "attempt-admitted");
        assertThat(world.verdicts().all()).isEmpty();
    }

    private void pass(long millis) {
        long end = world.scheduler().now() + millis;
        while (world.scheduler().step(end)) {
            // Each step is one event.
        }
    }

    private Orchestrator leader() {
        return world.orchestrators().stream()
                .filter(Orchestrator::leads)
                .findFirst()
                .orElseThrow();
    }

    private static void furnish(SimFleet fleet, NodeMaker nodes) {
        SimSite site = fleet.addSite("north");
        fleet.addMachine(
                site,
                fleet.addCluster(site, "k", Labels.NONE),
                "cp",
                MachineRole.CONTROL_PLANE,
                Labels.NONE,
                nodes.node("cp", NodeTemper.calm(MINUTE, 0)));
    }
}
