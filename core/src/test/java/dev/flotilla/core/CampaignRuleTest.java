package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WorkerCommand;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The campaign rules of the fleet's policy apply when machines start, whatever applied when a campaign was accepted.
 */
class CampaignRuleTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final OperatorOrderKey REST = new OperatorOrderKey.ApproveWave(UP, "rest");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void fleet(int clusters) {
        for (int i = 0; i < clusters; i++) {
            fleetScenario.cluster("c" + i, 0, 2);
        }
    }

    private void require(RequiredApproval approval, @Nullable CountOrPercent firstWave) {
        rule(new CampaignRule(approval, firstWave, List.of()));
    }

    private void rule(CampaignRule rule) {
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null).with(rule));
    }

    private static Wave first(@Nullable CountOrPercent takes, Wave.WaveApproval approval) {
        return new Wave("first", List.of(), LabelSelector.ALL, takes, approval, 100, Duration.ZERO);
    }

    private static Wave rest(Wave.WaveApproval approval) {
        return new Wave("rest", List.of(), LabelSelector.ALL, null, approval, 100, Duration.ZERO);
    }

    private void campaign(Wave... waves) {
        CampaignBuilder campaign = CampaignBuilder.named("up");
        for (Wave wave : waves) {
            campaign.wave(wave);
        }
        fleetScenario.campaign(campaign.build());
    }

    private String next() {
        return fleetScenario.explain("c0-w-0").nextStep();
    }

    @Test
    void aFirstWaveOfAllMachinesStartsNothing() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, null);
        campaign(first(null, Wave.WaveApproval.AFTER), rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("c0-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(next())
                .contains(
                        "Campaign up has 10 of its 10 machines in the first wave",
                        "allows 10% without an approval before it (campaigns.firstWave)",
                        "make the wave smaller, or require an approval before it");
    }

    @Test
    void aSmallFirstWaveStartsAndTheRestWaits() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Count(4));
        campaign(first(new CountOrPercent.Count(4), Wave.WaveApproval.AFTER), rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).hasSize(4);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight()).isEmpty();
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(6);
    }

    @Test
    void aFirstWaveOfOneClusterIsNeverTooLarge() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Count(1));
        campaign(first(new CountOrPercent.Count(1), Wave.WaveApproval.AFTER), rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).hasSize(2);
    }

    @Test
    void aPercentageWithinTheMaximumIsNeverTooLarge() {
        for (int i = 0; i < 40; i++) {
            fleetScenario.cluster("c" + i, 0, i % 7 == 0 ? 9 : 1);
        }
        require(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Percent(15));
        campaign(first(new CountOrPercent.Percent(15), Wave.WaveApproval.AFTER), rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).isNotEmpty();
        assertThat(fleetScenario.closed("c0-w-0")).isNotNull();
    }

    @Test
    void aFirstWaveThatGrowsTooLargeStops() {
        fleet(4);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(1))
                .with(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Percent(50), List.of())));
        fleetScenario.cluster(FleetScenario.SITE, "x", 0, 2, CampaignBuilder.labels("tier", "canary"));
        campaign(
                new Wave("first", List.of(), CampaignBuilder.where("tier", "canary"), false, 100),
                rest(Wave.WaveApproval.BEFORE));
        assertThat(fleetScenario.inFlight()).containsExactly("x-w-0");
        for (String name : List.of("y", "z", "v", "w")) {
            fleetScenario.cluster(FleetScenario.SITE, name, 0, 2, CampaignBuilder.labels("tier", "canary"));
        }
        fleetScenario.succeed("x-w-0");
        assertThat(fleetScenario.inFlight())
                .as("10 of 18 machines, but the maximum is 50%")
                .isEmpty();
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void anEmptyFirstWaveDoesNotAvoidTheApprovalAfterIt() {
        fleet(3);
        require(RequiredApproval.AFTER_FIRST_WAVE, null);
        Wave nothing = new Wave(
                "first",
                List.of(),
                CampaignBuilder.where("tier", "none"),
                null,
                Wave.WaveApproval.AFTER,
                100,
                Duration.ZERO);
        campaign(nothing, rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(next())
                .contains(
                        "requires one before anything starts beyond the first wave",
                        "flotilla campaign approve up first");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(6);
    }

    @Test
    void anEmptyFirstWaveDoesNotAvoidTheApprovalBeforeIt() {
        fleet(3);
        require(RequiredApproval.BEFORE_FIRST_WAVE, null);
        Wave nothing = new Wave("first", List.of(), CampaignBuilder.where("tier", "none"), true, 100);
        campaign(nothing, rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(next()).contains("requires one before anything starts (");
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).hasSize(6);
    }

    @Test
    void aCampaignAcceptedBeforeThePolicyWaitsForAnApproval() {
        fleetScenario.cap(1);
        fleet(3);
        campaign(rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).containsExactly("c0-w-0");
        fleetScenario.step("c0-w-0", dev.flotilla.schemas.row.AttemptStep.REFRESHING);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(1))
                .with(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of())));
        fleetScenario.succeed("c0-w-0");
        assertThat(fleetScenario.inFlight())
                .as("running upgrades continue, nothing else starts")
                .isEmpty();
        assertThat(fleetScenario.explain("c0-w-1").nextStep())
                .contains(
                        "Campaign up has no approval",
                        "campaigns.requireApproval",
                        "flotilla campaign approve up rest");
        fleetScenario.order(REST, OrderVerb.APPROVE);
        assertThat(fleetScenario.inFlight()).containsExactly("c0-w-1");
    }

    @Test
    void anEditOfAnApprovedCampaignWaitsForAnApproval() {
        fleetScenario.cap(1);
        fleet(3);
        campaign(first(new CountOrPercent.Count(2), Wave.WaveApproval.NONE), rest(Wave.WaveApproval.NONE));
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(1))
                .with(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of())));
        fleetScenario.order(new OperatorOrderKey.ApproveWave(UP, "first"), OrderVerb.APPROVE);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight()).as("the first wave is closed").hasSize(1);
        campaign(first(new CountOrPercent.Count(2), Wave.WaveApproval.BEFORE), rest(Wave.WaveApproval.NONE));
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.inFlight()).isEmpty();
    }

    @Test
    void aTargetThatIsForbiddenLaterStopsStartsAndRevokesLeases() {
        fleetScenario.cap(1);
        fleet(2);
        campaign(rest(Wave.WaveApproval.NONE));
        assertThat(fleetScenario.inFlight()).containsExactly("c0-w-0");
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, new CountOrPercent.Count(1))
                .with(new CampaignRule(null, null, List.of("revision=*"))));
        assertThat(fleetScenario.command("c0-w-0")).isInstanceOf(WorkerCommand.CancelUpgrade.class);
        assertThat(fleetScenario.closed("c0-w-1")).contains(GateLabel.CAMPAIGN_NOT_RUNNING);
        assertThat(fleetScenario.explain("c0-w-1").nextStep())
                .contains(
                        "Campaign up has the target channel=1.33-classic/stable, but the fleet's policy allows campaigns"
                                + " only the targets revision=* (campaigns.targets)");
    }

    @Test
    void aHalfUpgradedControlPlaneIsFinished() {
        fleetScenario.cluster("a", 3, 0);
        campaign(rest(Wave.WaveApproval.NONE));
        fleetScenario.succeed("a-cp-0");
        rule(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of("revision=*")));
        assertThat(fleetScenario.inFlight()).containsExactly("a-cp-1");
    }

    /** Accepted before the policy: the whole campaign is its first wave. */
    @Test
    void aCampaignOfOneWaveNeedsAnApprovalBeforeIt() {
        fleet(1);
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OrderVerb.FREEZE);
        campaign(first(null, Wave.WaveApproval.NONE));
        require(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Percent(100));
        fleetScenario.order(new OperatorOrderKey.FreezeFleet(), OrderVerb.UNFREEZE);
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(next()).contains("requires one before anything starts (campaigns.requireApproval)");
    }

    @Test
    void namesTheApprovalThatTheAuthorRequires() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Percent(100));
        campaign(
                first(new CountOrPercent.Count(2), Wave.WaveApproval.NONE),
                new Wave("second", List.of(), LabelSelector.ALL, null, Wave.WaveApproval.BEFORE, 100, Duration.ZERO),
                rest(Wave.WaveApproval.NONE));
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
        assertThat(fleetScenario.explain("c4-w-0").nextStep()
                        + fleetScenario.explain("c0-w-0").nextStep())
                .contains("flotilla campaign approve up second");
    }
}
