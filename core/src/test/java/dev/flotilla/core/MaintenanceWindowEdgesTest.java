package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.UpgradePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Facts that become known while a window is open or about to open count at once, without a change of the cluster. */
class MaintenanceWindowEdgesTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final TimeZoneName ZONE = new TimeZoneName("Etc/UTC");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ENOUGH = 20;

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void calendar(@Nullable TimeZoneName zone, Duration estimate) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(new UpgradePolicy.MaintenanceCalendar(zone, List.of(), estimate), null));
    }

    private void know(int offsetSeconds) {
        fleetScenario.decide(
                new DecisionInput.TimeZoneRead(new TimeZoneRules(ZONE, offsetSeconds, List.of()), fleetScenario.now));
    }

    /** A window from one minute of each day to another, by the cluster's own clock. */
    private static MaintenanceWindow window(int from, int to) {
        return new MaintenanceWindow(List.of(), null, from, to, null);
    }

    private void located(@Nullable String zone) {
        fleetScenario.receive(new ClusterRow(
                new ClusterKey(FleetScenario.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, zone, 0, 1));
    }

    private void hold(String name) {
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row(name)).onHold().build());
    }

    private void release(String name) {
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row(name)).build());
    }

    @Test
    void aClusterThatGetsATimeZoneStartsWhenItsWindowOpens() {
        calendar(null, MINUTE);
        know(0);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").window(window(60, 120)).build());
        fleetScenario.advance(Duration.ofMinutes(5));
        located(ZONE.id());
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(ZONE);
        assertThat(fleetScenario.state.dueWork().nextTimerAt())
                .isEqualTo(FleetScenario.START.plus(Duration.ofHours(1)).toEpochMilli());
        fleetScenario.advance(Duration.ofMinutes(55));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void anUnusedTimeZoneIsNotNeeded() {
        calendar(null, MINUTE);
        know(0);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").window(window(60, 120)).build());
        located(ZONE.id());
        located(ZONE.id());
        assertThat(fleetScenario.state.neededTimeZones()).containsExactly(ZONE);
        located(null);
        assertThat(fleetScenario.state.neededTimeZones()).isEmpty();
    }

    @Test
    void newRulesOfATimeZoneCountAtOnce() {
        calendar(ZONE, MINUTE);
        know(0);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(
                CampaignBuilder.named("up").window(window(60, 120)).build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        know(3_600);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void newRulesOfATimeZoneCountAtOnceForTheSitesWindows() {
        know(0);
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(new UpgradePolicy.MaintenanceCalendar(ZONE, List.of(window(60, 120)), MINUTE), null));
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        know(3_600);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    /** Twenty machines have started, one more waits on hold, and the window closes in two hours. */
    private void many(int more) {
        calendar(ZONE, MINUTE);
        know(0);
        fleetScenario.cluster("a", 0, ENOUGH + more);
        fleetScenario.cluster("b", 0, 1);
        for (int i = ENOUGH; i < ENOUGH + more; i++) {
            hold("a-w-" + i);
        }
        hold("b-w-0");
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .window(window(0, 120))
                .build());
        assertThat(fleetScenario.inFlight()).hasSize(ENOUGH);
        fleetScenario.inFlight().forEach(name -> fleetScenario.step(name, AttemptStep.STARTING));
    }

    private void succeed(int from, int to) {
        for (int i = from; i < to; i++) {
            fleetScenario.succeed("a-w-" + i);
        }
    }

    @Test
    void aShortMeasuredDurationAllowsStartsBeforeTheWindowCloses() {
        many(0);
        fleetScenario.advance(MINUTE);
        succeed(0, ENOUGH - 1);
        calendar(ZONE, Duration.ofHours(1));
        fleetScenario.advance(Duration.ofMinutes(94));
        release("b-w-0");
        assertThat(fleetScenario.closed("b-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        succeed(ENOUGH - 1, ENOUGH);
        assertThat(fleetScenario.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void aShorterMeasuredDurationAllowsStartsBeforeTheWindowCloses() {
        many(2 * ENOUGH);
        fleetScenario.advance(MINUTE);
        succeed(0, ENOUGH - 2);
        fleetScenario.advance(Duration.ofMinutes(98));
        for (int i = ENOUGH; i < 3 * ENOUGH; i++) {
            release("a-w-" + i);
            fleetScenario.step("a-w-" + i, AttemptStep.STARTING);
        }
        fleetScenario.advance(MINUTE);
        succeed(ENOUGH - 2, ENOUGH);
        release("b-w-0");
        assertThat(fleetScenario.closed("b-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        for (int i = ENOUGH; i < 3 * ENOUGH && !fleetScenario.inFlight().contains("b-w-0"); i++) {
            fleetScenario.succeed("a-w-" + i);
        }
        assertThat(fleetScenario.inFlight()).contains("b-w-0");
    }

    @Test
    void anEditedCampaignKnowsOnlyTheDurationsOfItsWaves() {
        many(0);
        fleetScenario.advance(MINUTE);
        succeed(0, ENOUGH);
        CampaignRollout before = Objects.requireNonNull(fleetScenario.state.rollout(UP));
        var machine = Objects.requireNonNull(fleetScenario.state.machine(FleetScenario.machine("b-w-0")));
        assertThat(fleetScenario.state.expectedDurationMillis(before, machine))
                .isLessThan(Duration.ofMinutes(2).toMillis());
        calendar(ZONE, Duration.ofHours(1));
        fleetScenario.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .window(window(0, 120))
                .wave("another", LabelSelector.ALL, false, 100)
                .build());
        CampaignRollout after = Objects.requireNonNull(fleetScenario.state.rollout(UP));
        assertThat(fleetScenario.state.expectedDurationMillis(after, machine))
                .isEqualTo(Duration.ofHours(1).toMillis());
    }

    @Test
    void theDownloadTimeCountsWhenSizeAndBandwidthAreConfigured() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.campaign(CampaignBuilder.named("up").build());
        assertThat(takes(null, null)).isEqualTo(MINUTE);
        assertThat(takes(100, null)).isEqualTo(MINUTE);
        assertThat(takes(null, 10)).isEqualTo(MINUTE);
        assertThat(takes(100, 10)).isEqualTo(MINUTE.plusSeconds(80));
    }

    private Duration takes(@Nullable Integer megabytes, @Nullable Integer megabits) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .withCalendar(
                        new UpgradePolicy.MaintenanceCalendar(null, List.of(), MINUTE, megabytes, megabits), null));
        return Duration.ofMillis(fleetScenario.state.expectedDurationMillis(
                Objects.requireNonNull(fleetScenario.state.rollout(UP)),
                Objects.requireNonNull(fleetScenario.state.machine(FleetScenario.machine("a-w-0")))));
    }
}
