package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.DrainMode;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.TimeZoneRules;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A policy's rules for intents: maximum in flight, cluster soak, windows and targets. */
class IntentRuleTest {
    private static final String OPTION = "channel=1.33-classic/stable";
    private static final CountOrPercent MANY = new CountOrPercent.Count(9);
    private static final TimeZoneName BERLIN = new TimeZoneName("Europe/Berlin");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 3", "4, 4"})
    void thePolicyCapsIntentsInFlightInASite(int most, int flying) {
        for (String cluster : List.of("a", "b")) {
            fleetScenario.cluster(cluster, 0, 2);
        }
        rule(FleetScope.FLEET, new CountOrPercent.Count(most), null, Duration.ZERO, List.of());
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), OPTION);
        fleetScenario.requestUpgrade(FleetScenario.deployment("b"), OPTION);
        assertThat(fleetScenario.inFlight()).hasSize(flying);
    }

    @Test
    void explainsHowManyIntentsAreInFlight() {
        fleetScenario.cluster("a", 0, 2);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), OPTION);
        String waits = fleetScenario.inFlight().contains("a-w-0") ? "a-w-1" : "a-w-0";
        assertThat(fleetScenario.closed(waits)).containsExactly(GateLabel.CAMPAIGN_CAP);
        assertThat(fleetScenario.explain(waits).nextStep())
                .contains("The intents of site north have 1 machine in flight; the cap is 1");
    }

    @Test
    void anEarlierIntentsAttemptCountsUntilItEnds() {
        fleetScenario.cluster("a", 0, 2);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), OPTION);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=3500");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), OPTION);
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void intentsHaveAClusterCap() {
        fleetScenario.cluster("a", 0, 3);
        fleetScenario.cluster("b", 0, 3);
        rule(FleetScope.FLEET, null, new CountOrPercent.Count(2), Duration.ZERO, List.of());
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), OPTION);
        fleetScenario.requestUpgrade(FleetScenario.deployment("b"), OPTION);
        assertThat(fleetScenario.inFlight()).hasSize(4);
    }

    @Test
    void aClusterSoaksAfterASuccess() {
        fleetScenario.cluster("a", 0, 2);
        rule(FleetScope.FLEET, null, new CountOrPercent.Count(1), Duration.ofMinutes(5), List.of());
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), OPTION);
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMillis(1));
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aClusterSoaksAfterASuccessOfARemovedIntent() {
        fleetScenario.cluster("a", 0, 2);
        rule(FleetScope.FLEET, null, null, Duration.ofMinutes(5), List.of());
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), OPTION);
        fleetScenario.step("a-w-0", AttemptStep.REFRESHING);
        fleetScenario.receive(new Tombstone(new RowKey(Table.INTENTS, FleetScenario.machine("a-w-0"))));
        fleetScenario.succeed("a-w-0");
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-1"), OPTION);
        assertThat(fleetScenario.closed("a-w-1")).containsExactly(GateLabel.CLUSTER_HEALTH);
    }

    @Test
    void nothingStartsOutsideTheWindows() {
        fleetScenario.decide(new DecisionInput.TimeZoneRead(
                Optional.ofNullable(TimeZoneRules.fromJvm(BERLIN, fleetScenario.now))
                        .orElseThrow(),
                fleetScenario.now));
        fleetScenario.cluster("a", 0, 1);
        // Midnight in UTC is one o'clock in Berlin.
        rule(
                FleetScope.FLEET,
                null,
                null,
                Duration.ZERO,
                List.of(new MaintenanceWindow(List.of(), null, 120, 300, BERLIN)));
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), OPTION);
        assertThat(fleetScenario.closed("a-w-0")).containsExactly(GateLabel.MAINTENANCE_WINDOW);
        fleetScenario.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.advance(Duration.ofMillis(1));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void commandsCarryThePolicysDrainMode() {
        fleetScenario.cluster("a", 0, 1);
        IntentRule usual = IntentRule.DEFAULT;
        fleetScenario.receive(policy(new IntentRule(
                usual.maxUnavailable(),
                usual.retryRule(),
                List.of(),
                null,
                null,
                Duration.ZERO,
                List.of(),
                DrainMode.ALWAYS)));
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), OPTION);
        assertThat(fleetScenario.command("a-w-0"))
                .isInstanceOfSatisfying(
                        WorkerCommand.UpgradeMachine.class,
                        command -> assertThat(command.drainMode()).isEqualTo(DrainMode.ALWAYS));
    }

    @Test
    void campaignsIgnoreTheIntentRule() {
        fleetScenario.cluster("a", 0, 3);
        rule(
                FleetScope.FLEET,
                new CountOrPercent.Count(1),
                new CountOrPercent.Count(1),
                Duration.ofHours(1),
                List.of(new MaintenanceWindow(List.of(), null, 120, 300, BERLIN)));
        fleetScenario.campaign(CampaignBuilder.named("up").maxUnavailable(2).build());
        assertThat(fleetScenario.inFlight()).hasSize(2);
        fleetScenario.succeed(fleetScenario.inFlight().get(0));
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @Test
    void aSitesRuleGoesBeforeTheFleets() {
        fleetScenario.cluster("a", 0, 3);
        rule(FleetScope.FLEET, new CountOrPercent.Count(1), null, Duration.ZERO, List.of());
        rule(FleetScenario.SITE, new CountOrPercent.Count(3), null, Duration.ZERO, List.of());
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), OPTION);
        assertThat(fleetScenario.inFlight()).hasSize(3);
    }

    private static UpgradePolicy policy(IntentRule rule) {
        return new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, rule);
    }

    private void rule(
            PolicyScope scope,
            @Nullable CountOrPercent site,
            @Nullable CountOrPercent cluster,
            Duration settle,
            List<MaintenanceWindow> windows) {
        fleetScenario.receive(new UpgradePolicy(
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
    void aMachinesIntentGoesBeforeItsOwnersAndThatBeforeItsClusters() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(
                new dev.flotilla.schemas.id.ClusterKey(FleetScenario.SITE, "default", "a"), "revision=1");
        assertThat(target("a-w-0")).isEqualTo("revision=1");
        fleetScenario.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        fleetScenario.requestUpgrade(FleetScenario.deployment("a"), "revision=2");
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(target("a-w-0")).isEqualTo("revision=2");
        fleetScenario.report("a-w-0", new dev.flotilla.schemas.row.AttemptReport.Deferred("busy"));
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=3");
        fleetScenario.advance(Duration.ofMinutes(1));
        assertThat(target("a-w-0")).isEqualTo("revision=3");
        fleetScenario.succeed("a-w-0");
        assertThat(target("a-w-0")).isEqualTo("revision=2");
        fleetScenario.succeed("a-w-0");
        assertThat(target("a-w-0")).isEqualTo("revision=1");
        fleetScenario.succeed("a-w-0");
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aNewMachineDoesNotInheritTheIntentOfItsName() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=3");
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
        fleetScenario.receive(MachineRowBuilder.of(FleetScenario.SITE, "a", "a-w-0")
                .uid(FleetScenario.uidOf("again"))
                .providerId("provider://another")
                .build());
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.removeIntent(FleetScenario.machine("a-w-0"));
        fleetScenario.receive(new dev.flotilla.schemas.row.UpgradeIntent(
                FleetScenario.machine("a-w-0"),
                FleetScenario.uidOf("again"),
                dev.flotilla.schemas.row.UpgradeTarget.parse("revision=3"),
                fleetScenario.now));
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    @Test
    void aMachineThatOptsOutDuringItsBackoffIsSkippedAndContinuesWhenItOptsIn() {
        fleetScenario.cluster("a", 0, 1);
        fleetScenario.requestUpgrade(FleetScenario.machine("a-w-0"), "revision=3");
        fleetScenario.fail("a-w-0");
        fleetScenario.receive(
                MachineRowBuilder.like(fleetScenario.row("a-w-0")).optedOut().build());
        fleetScenario.advance(Duration.ofHours(1));
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.receive(MachineRowBuilder.like(fleetScenario.row("a-w-0")).build());
        assertThat(fleetScenario.inFlight()).containsExactly("a-w-0");
    }

    private String target(String machine) {
        return String.valueOf(fleetScenario.attempt(machine).target());
    }
}
