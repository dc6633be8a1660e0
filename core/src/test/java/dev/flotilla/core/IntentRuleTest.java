package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.WorkerCommand;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a policy says of what annotations ask for: how many at once, how long a cluster rests, and when. */
class IntentRuleTest {
    private static final String OPTION = "channel=1.33-classic/stable";
    private static final CountOrPercent MANY = new CountOrPercent.Count(9);
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");

    private final Scene scene = Scene.open();

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 3", "4, 4"})
    void asManyAreInFlightInASiteAsThePolicySays(int most, int flying) {
        for (String cluster : List.of("a", "b")) {
            scene.cluster(cluster, 0, 2);
        }
        rule(FleetScope.FLEET, new CountOrPercent.Count(most), null, Duration.ZERO, List.of());
        scene.ask(Scene.deployment("a"), OPTION);
        scene.ask(Scene.deployment("b"), OPTION);
        assertThat(scene.inFlight()).hasSize(flying);
    }

    @Test
    void whoWaitsIsToldWhatIsInFlight() {
        scene.cluster("a", 0, 2);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        scene.ask(Scene.deployment("a"), OPTION);
        String waits = scene.inFlight().contains("a-w-0") ? "a-w-1" : "a-w-0";
        assertThat(scene.closed(waits)).containsExactly(GateLabel.CAMPAIGN_CAP);
        assertThat(scene.explain(waits).next())
                .contains("1 machines that annotations ask for are in flight, and 1 may be");
    }

    @Test
    void whatWasAskedForBeforeCountsUntilItHasEnded() {
        scene.cluster("a", 0, 2);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        scene.ask(Scene.machine("a-w-0"), OPTION);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.ask(Scene.machine("a-w-0"), "revision=3500");
        scene.ask(Scene.machine("a-w-1"), OPTION);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aClusterHasACapOfItsOwn() {
        scene.cluster("a", 0, 3);
        scene.cluster("b", 0, 3);
        rule(FleetScope.FLEET, null, new CountOrPercent.Count(2), Duration.ZERO, List.of());
        scene.ask(Scene.deployment("a"), OPTION);
        scene.ask(Scene.deployment("b"), OPTION);
        assertThat(scene.inFlight()).hasSize(4);
    }

    @Test
    void aClusterRestsAfterASuccess() {
        scene.cluster("a", 0, 2);
        rule(FleetScope.FLEET, null, new CountOrPercent.Count(1), Duration.ofMinutes(5), List.of());
        scene.ask(Scene.deployment("a"), OPTION);
        scene.succeed(scene.inFlight().get(0));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMinutes(5).minusMillis(1));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void itRestsAfterWhatNobodyAsksForAnyMoreToo() {
        scene.cluster("a", 0, 2);
        rule(FleetScope.FLEET, null, null, Duration.ofMinutes(5), List.of());
        scene.ask(Scene.machine("a-w-0"), OPTION);
        scene.step("a-w-0", AttemptStep.REFRESHING);
        scene.arrive(new Tombstone(new RowKey(Table.INTENTS, Scene.machine("a-w-0"))));
        scene.succeed("a-w-0");
        scene.ask(Scene.machine("a-w-1"), OPTION);
        assertThat(scene.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void nothingIsStartedOutsideOfItsWindows() {
        scene.take(new Input.ZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(BERLIN, scene.now)).orElseThrow(), scene.now));
        scene.cluster("a", 0, 1);
        // It is midnight in UTC, and one o'clock in Berlin.
        rule(FleetScope.FLEET, null, null, Duration.ZERO, List.of(new MaintenanceWindow(List.of(), null, 120, 300, BERLIN)));
        scene.ask(Scene.machine("a-w-0"), OPTION);
        assertThat(scene.closed("a-w-0")).containsExactly(GateLabel.WINDOW);
        scene.pass(Duration.ofHours(1).minusMillis(1));
        assertThat(scene.inFlight()).isEmpty();
        scene.pass(Duration.ofMillis(1));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void nodesAreEmptiedAsItSays() {
        scene.cluster("a", 0, 1);
        IntentRule usual = IntentRule.DEFAULT;
        scene.arrive(policy(new IntentRule(
                usual.maxUnavailable(),
                usual.retryRule(),
                List.of(),
                null,
                null,
                Duration.ZERO,
                List.of(),
                DrainMode.ALWAYS)));
        scene.ask(Scene.machine("a-w-0"), OPTION);
        assertThat(scene.command("a-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.drainMode()).isEqualTo(DrainMode.ALWAYS));
    }

    @Test
    void campaignsMindNoneOfIt() {
        scene.cluster("a", 0, 3);
        rule(
                FleetScope.FLEET,
                new CountOrPercent.Count(1),
                new CountOrPercent.Count(1),
                Duration.ofHours(1),
                List.of(new MaintenanceWindow(List.of(), null, 120, 300, BERLIN)));
        scene.campaign(CampaignBuilder.named("up").maxUnavailable(2).build());
        assertThat(scene.inFlight()).hasSize(2);
        scene.succeed(scene.inFlight().get(0));
        assertThat(scene.inFlight()).hasSize(2);
    }

    @Test
    void aSitesOwnRuleGoesBeforeTheFleets() {
        scene.cluster("a", 0, 3);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        rule(Scene.SITE, new CountOrPercent.Count(3), null, Duration.ZERO, List.of());
        scene.ask(Scene.deployment("a"), OPTION);
        assertThat(scene.inFlight()).hasSize(3);
    }

    private static UpgradePolicy policy(IntentRule rule) {
        return new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, rule);
    }

    private void rule(
            PolicyScope scope, @Nullable CountOrPercent site, @Nullable CountOrPercent cluster, Duration settle, List<MaintenanceWindow> windows) {
        scene.arrive(new UpgradePolicy(
                scope,
                null,
                null,
                false,
                null,
                null,
                null,
                new IntentRule(MANY, RetryRule.DEFAULT, List.of(), site, cluster, settle, windows, null)));
    }

    @Test
    void whatIsAskedOfAMachineItselfGoesBeforeItsOwnersAndThatBeforeItsClusters() {
        scene.cluster("a", 0, 1);
        scene.ask(new dev.flotilla.schemas.id.ClusterKey(Scene.SITE, "default", "a"), "revision=1");
        assertThat(target("a-w-0")).isEqualTo("revision=1");
        scene.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        scene.ask(Scene.deployment("a"), "revision=2");
        scene.pass(Duration.ofMinutes(1));
        assertThat(target("a-w-0")).isEqualTo("revision=2");
        scene.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        scene.ask(Scene.machine("a-w-0"), "revision=3");
        scene.pass(Duration.ofMinutes(1));
        assertThat(target("a-w-0")).isEqualTo("revision=3");
        scene.succeed("a-w-0");
        assertThat(target("a-w-0")).isEqualTo("revision=2");
        scene.succeed("a-w-0");
        assertThat(target("a-w-0")).isEqualTo("revision=1");
        scene.succeed("a-w-0");
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void whatWasAskedOfTheMachineThatHadTheNameBeforeIsNotAskedOfThisOne() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), "revision=3");
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        scene.arrive(MachineBuilder.of(Scene.SITE, "a", "a-w-0")
                .uid(Scene.uidOf("again"))
                .providerId("provider://another")
                .build());
        assertThat(scene.inFlight()).isEmpty();
        scene.takeBack(Scene.machine("a-w-0"));
        scene.arrive(new dev.flotilla.schemas.row.UpgradeIntent(
                Scene.machine("a-w-0"),
                Scene.uidOf("again"),
                dev.flotilla.schemas.row.UpgradeTarget.parse("revision=3"),
                scene.now));
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aMachineThatOptsOutWhileItWaitsForItsRetryIsSkippedAndGoesOnWhenItOptsInAgain() {
        scene.cluster("a", 0, 1);
        scene.ask(Scene.machine("a-w-0"), "revision=3");
        scene.fail("a-w-0");
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).optedOut().build());
        scene.pass(Duration.ofHours(1));
        assertThat(scene.inFlight()).isEmpty();
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).build());
        assertThat(scene.inFlight()).containsExactly("a-w-0");
    }

    private String target(String machine) {
        return String.valueOf(scene.attempt(machine).target());
    }
}
