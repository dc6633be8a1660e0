package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.fleet.CampaignRollout;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes known while a window is open or about to be counts at once, and nobody has to touch a cluster for it. */
class WindowEdgesTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final TimeZoneName ZONE = new TimeZoneName("Etc/UTC");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int ENOUGH = 20;

    private final Scene scene = Scene.open();

    private void calendar(@Nullable TimeZoneName zone, Duration estimate) {
        scene.arrive(Scene.policy(FleetScope.FLEET, null).at(new UpgradePolicy.MaintenanceCalendar(zone, List.of(), estimate), null));
    }

    private void know(int offsetSeconds) {
        scene.take(new Input.ZoneRead(new TimeZoneRules(ZONE, offsetSeconds, List.of()), scene.now));
    }

    /** Open from one minute of each day to another, by the cluster's own clocks. */
    private static MaintenanceWindow window(int from, int to) {
        return new MaintenanceWindow(List.of(), null, from, to, null);
    }

    private void located(@Nullable String zone) {
        scene.arrive(new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, zone, 0, 1));
    }

    private void hold(String name) {
        scene.arrive(MachineBuilder.like(scene.row(name)).onHold().build());
    }

    private void release(String name) {
        scene.arrive(MachineBuilder.like(scene.row(name)).build());
    }

    @Test
    void aClusterThatSaysLaterWhereItIsIsStartedWhenItsWindowOpensThere() {
        calendar(null, MINUTE);
        know(0);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").window(window(60, 120)).build());
        scene.pass(Duration.ofMinutes(5));
        located(ZONE.id());
        assertThat(scene.state.zones()).containsExactly(ZONE);
        assertThat(scene.state.nextTimer())
                .isEqualTo(Scene.START.plus(Duration.ofHours(1)).toEpochMilli());
        scene.pass(Duration.ofMinutes(55));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aZoneInWhichNoClusterIsAnyMoreIsNotAskedAbout() {
        calendar(null, MINUTE);
        know(0);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").window(window(60, 120)).build());
        located(ZONE.id());
        located(ZONE.id());
        assertThat(scene.state.zones()).containsExactly(ZONE);
        located(null);
        assertThat(scene.state.zones()).isEmpty();
    }

    @Test
    void otherRulesOfAZoneCountAtTheSameInstant() {
        calendar(ZONE, MINUTE);
        know(0);
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").window(window(60, 120)).build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.WINDOW);
        know(3_600);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void otherRulesOfAZoneCountAtTheSameInstantForTheSitesWindowsToo() {
        know(0);
        scene.cluster("a", 0, 1);
        scene.arrive(Scene.policy(FleetScope.FLEET, null)
                .at(new UpgradePolicy.MaintenanceCalendar(ZONE, List.of(window(60, 120)), MINUTE), null));
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.WINDOW);
        know(3_600);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    /** Twenty have started, one more waits on hold, and the window closes in two hours. */
    private void many(int more) {
        calendar(ZONE, MINUTE);
        know(0);
        scene.cluster("a", 0, ENOUGH + more);
        scene.cluster("b", 0, 1);
        for (int i = ENOUGH; i < ENOUGH + more; i++) {
            hold("a-w-" + i);
        }
        hold("b-w-0");
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .window(window(0, 120))
                .build());
        assertThat(scene.inFlight()).hasSize(ENOUGH);
        scene.inFlight().forEach(name -> scene.step(name, AttemptStep.STARTING));
    }

    private void succeed(int from, int to) {
        for (int i = from; i < to; i++) {
            scene.succeed("a-w-" + i);
        }
    }

    @Test
    void whatBecomesKnownToBeQuickIsStartedBeforeTheWindowCloses() {
        many(0);
        scene.pass(MINUTE);
        succeed(0, ENOUGH - 1);
        calendar(ZONE, Duration.ofHours(1));
        scene.pass(Duration.ofMinutes(94));
        release("b-w-0");
        assertThat(scene.closed("b-w-0")).containsExactly(GateLabel.WINDOW);
        succeed(ENOUGH - 1, ENOUGH);
        assertThat(scene.inFlight()).containsExactly("b-w-0");
    }

    @Test
    void whatTurnsOutToBeQuickerThanItWasIsStartedBeforeTheWindowCloses() {
        many(2 * ENOUGH);
        scene.pass(MINUTE);
        succeed(0, ENOUGH - 2);
        scene.pass(Duration.ofMinutes(98));
        for (int i = ENOUGH; i < 3 * ENOUGH; i++) {
            release("a-w-" + i);
            scene.step("a-w-" + i, AttemptStep.STARTING);
        }
        scene.pass(MINUTE);
        succeed(ENOUGH - 2, ENOUGH);
        release("b-w-0");
        assertThat(scene.closed("b-w-0")).containsExactly(GateLabel.WINDOW);
        for (int i = ENOUGH; i < 3 * ENOUGH && !scene.inFlight().contains("b-w-0"); i++) {
            scene.succeed("a-w-" + i);
        }
        assertThat(scene.inFlight()).contains("b-w-0");
    }

    @Test
    void ofAnEditedCampaignOnlyWhatItsWavesHaveSeenIsKnown() {
        many(0);
        scene.pass(MINUTE);
        succeed(0, ENOUGH);
        CampaignRollout before = Objects.requireNonNull(scene.state.rollout(UP));
        var machine = Objects.requireNonNull(scene.state.machine(Scene.machine("b-w-0")));
        assertThat(scene.state.takes(before, machine))
                .isLessThan(Duration.ofMinutes(2).toMillis());
        calendar(ZONE, Duration.ofHours(1));
        scene.campaign(CampaignBuilder.named("up")
                .maxUnavailable(100)
                .window(window(0, 120))
                .wave("another", LabelSelector.ALL, false, 100)
                .build());
        CampaignRollout after = Objects.requireNonNull(scene.state.rollout(UP));
        assertThat(scene.state.takes(after, machine))
                .isEqualTo(Duration.ofHours(1).toMillis());
    }

    @Test
    void whatIsLoadedOverALinkTakesTimeBesidesWhereBothAreStated() {
        scene.cluster("a", 0, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(takes(null, null)).isEqualTo(MINUTE);
        assertThat(takes(100, null)).isEqualTo(MINUTE);
        assertThat(takes(null, 10)).isEqualTo(MINUTE);
        assertThat(takes(100, 10)).isEqualTo(MINUTE.plusSeconds(80));
    }

    private Duration takes(@Nullable Integer megabytes, @Nullable Integer megabits) {
        scene.arrive(Scene.policy(FleetScope.FLEET, null)
                .at(new UpgradePolicy.MaintenanceCalendar(null, List.of(), MINUTE, megabytes, megabits), null));
        return Duration.ofMillis(scene.state.takes(
                Objects.requireNonNull(scene.state.rollout(UP)),
                Objects.requireNonNull(scene.state.machine(Scene.machine("a-w-0")))));
    }
}
