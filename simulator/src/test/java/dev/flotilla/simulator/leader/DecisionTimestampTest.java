package dev.flotilla.simulator.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineRole;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.simulator.check.StateComparisonIntervals;
import dev.flotilla.simulator.fleet.SimFleet;
import dev.flotilla.simulator.fleet.SimSite;
import dev.flotilla.simulator.node.NodeFaultProfile;
import dev.flotilla.simulator.operator.RandomPolicies;
import dev.flotilla.simulator.run.SimNodeFactory;
import dev.flotilla.simulator.run.SimWorld;
import dev.flotilla.simulator.run.SystemUnderTest;
import dev.flotilla.simulator.run.WorldConfig;
import dev.flotilla.simulator.transcript.TranscriptScenario;
import dev.flotilla.simulator.world.FaultRateSchedule;
import dev.flotilla.simulator.world.VirtualClockScheduler;
import org.junit.jupiter.api.Test;

/**
 * Decisions carry the leader's time, which never decreases: a time that is ahead persists after the leader that set it.
 */
class DecisionTimestampTest {
    private static final long MINUTE = 60_000;
    private static final long AHEAD = 5 * MINUTE;
    private static final long DAY = VirtualClockScheduler.BEGIN + 24 * 60 * MINUTE;

    private final SimWorld world = new SimWorld(
            new WorldConfig(
                    1,
                    1,
                    1,
                    2,
                    1,
                    DAY,
                    DAY,
                    FaultRateSchedule.FaultRates.NONE,
                    0,
                    0,
                    new LeaderLoopConfig(1000, 500, 500),
                    new StateComparisonIntervals(1, 1)),
            SystemUnderTest.REAL,
            true,
            DecisionTimestampTest::createFleet);

    @Test
    void nothingStartsUntilClocksReachTheTimeOfALeaderThatWasAhead() {
        world.start();
        world.operatorTables().write(RandomPolicies.capped(1));
        advance(MINUTE);
        SimOrchestrator first = leader();
        world.faults().jumpClock(first.process().name(), AHEAD);
        advance(MINUTE);
        assertThat(world.transcript().text()).contains("clock-sync-changed fleet: differs");
        world.operatorTables()
                .write(TranscriptScenario.campaign(
                        new CampaignName("upgrade"),
                        TranscriptScenario.everything().retries(RetryRule.DEFAULT)));
        advance(MINUTE);

        first.process().crash("by kill", 10 * MINUTE);
        advance(MINUTE);
        assertThat(leader()).isNotSameAs(first);
        assertThat(world.transcript().text()).contains("campaign-accepted").doesNotContain("attempt-admitted");

        advance(AHEAD);
        assertThat(world.transcript().text()).contains("clock-sync-changed fleet: agrees", "attempt-admitted");
        assertThat(world.violations().violations()).isEmpty();
    }

    private void advance(long millis) {
        long end = world.scheduler().now() + millis;
        while (world.scheduler().step(end)) {
            // Each step is one event.
        }
    }

    private SimOrchestrator leader() {
        return world.orchestrators().stream()
                .filter(SimOrchestrator::isLeader)
                .findFirst()
                .orElseThrow();
    }

    private static void createFleet(SimFleet fleet, SimNodeFactory nodes) {
        SimSite site = fleet.addSite("north");
        fleet.addMachine(
                site,
                fleet.addCluster(site, "k", Labels.NONE),
                "cp",
                MachineRole.CONTROL_PLANE,
                Labels.NONE,
                nodes.node("cp", NodeFaultProfile.withoutFaults(MINUTE, 0)));
    }
}
