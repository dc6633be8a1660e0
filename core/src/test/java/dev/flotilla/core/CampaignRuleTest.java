package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.OrderKey;
import dev.flotilla.schemas.row.Command;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Order.Verb;
import dev.flotilla.schemas.row.Policy.CampaignRule;
import dev.flotilla.schemas.row.Policy.RequiredApproval;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of the fleet's policy about campaigns hold when machines start, whatever held when a campaign was accepted. */
class CampaignRuleTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final OrderKey REST = new OrderKey.Approve(UP, "rest");

    private final Scene scene = Scene.open();

    private void fleet(int clusters) {
        for (int i = 0; i < clusters; i++) {
            scene.cluster("c" + i, 0, 2);
        }
    }

    private void require(RequiredApproval approval, @Nullable Limit firstWave) {
        rule(new CampaignRule(approval, firstWave, List.of()));
    }

    private void rule(CampaignRule rule) {
        scene.arrive(Scene.policy(Fleet.FLEET, null).with(rule));
    }

    private static Wave first(@Nullable Limit takes, Wave.Approval approval) {
        return new Wave("first", List.of(), Selector.ALL, takes, approval, 100, Duration.ZERO);
    }

    private static Wave rest(Wave.Approval approval) {
        return new Wave("rest", List.of(), Selector.ALL, null, approval, 100, Duration.ZERO);
    }

    private void campaign(Wave... waves) {
        CampaignBuilder campaign = CampaignBuilder.named("up");
        for (Wave wave : waves) {
            campaign.wave(wave);
        }
        scene.campaign(campaign.build());
    }

    private String next() {
        return scene.explain("c0-w-0").next();
    }

    @Test
    void aFirstWaveOfEverythingStartsNothing() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, null);
        campaign(first(null, Wave.Approval.AFTER), rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(scene.closed("c0-w-0")).containsExactly(GateLabel.WAVE);
        assertThat(next())
                .contains(
                        "Campaign up takes 10 of its 10 machines in its first wave",
                        "lets a first wave take 10% without an approval before it (campaigns.firstWave)",
                        "edit the wave to take less, or to ask for an approval before it");
    }

    @Test
    void aFirstWaveThatIsSmallEnoughStartsAndTheRestWaits() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Count(4));
        campaign(first(new Limit.Count(4), Wave.Approval.AFTER), rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).hasSize(4);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).isEmpty();
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(6);
    }

    @Test
    void oneClusterIsNeverTooLarge() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Count(1));
        campaign(first(new Limit.Count(1), Wave.Approval.AFTER), rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).hasSize(2);
    }

    @Test
    void aShareThatIsStatedAsNoLargerIsNotTooLargeWhateverItDraws() {
        for (int i = 0; i < 40; i++) {
            scene.cluster("c" + i, 0, i % 7 == 0 ? 9 : 1);
        }
        require(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Percent(15));
        campaign(first(new Limit.Percent(15), Wave.Approval.AFTER), rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).isNotEmpty();
        assertThat(scene.closed("c0-w-0")).isNotNull();
    }

    @Test
    void aFirstWaveThatGrowsTooLargeStops() {
        fleet(4);
        scene.arrive(Scene.policy(Fleet.FLEET, new Limit.Count(1))
                .with(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Percent(50), List.of())));
        scene.cluster(Scene.SITE, "x", 0, 2, CampaignBuilder.labels("tier", "canary"));
        campaign(
                new Wave("first", List.of(), CampaignBuilder.where("tier", "canary"), false, 100),
                rest(Wave.Approval.BEFORE));
        assertThat(scene.inFlight()).containsExactly("x-w-0");
        for (String name : List.of("y", "z", "v", "w")) {
            scene.cluster(Scene.SITE, name, 0, 2, CampaignBuilder.labels("tier", "canary"));
        }
        scene.succeed("x-w-0");
        assertThat(scene.inFlight()).as("10 of 18 machines, and 50% may").isEmpty();
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(1);
    }

    @Test
    void anEmptyFirstWaveIsNoWayRoundTheApproval() {
        fleet(3);
        require(RequiredApproval.AFTER_FIRST_WAVE, null);
        Wave nothing = new Wave(
                "first",
                List.of(),
                CampaignBuilder.where("tier", "none"),
                null,
                Wave.Approval.AFTER,
                100,
                Duration.ZERO);
        campaign(nothing, rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(next()).contains("requires one before anything starts beyond the first wave", "up/approve/first");
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(6);
    }

    @Test
    void anEmptyFirstWaveIsNoWayRoundTheApprovalBeforeItEither() {
        fleet(3);
        require(RequiredApproval.BEFORE_FIRST_WAVE, null);
        Wave nothing = new Wave("first", List.of(), CampaignBuilder.where("tier", "none"), true, 100);
        campaign(nothing, rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).isEmpty();
        assertThat(next()).contains("requires one before anything starts (");
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        assertThat(scene.inFlight()).hasSize(6);
    }

    @Test
    void aCampaignThatWasAcceptedBeforeThePolicyWaitsForAnApprovalToo() {
        scene.cap(1);
        fleet(3);
        campaign(rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).containsExactly("c0-w-0");
        scene.step("c0-w-0", dev.flotilla.schemas.row.Step.REFRESHING);
        scene.arrive(Scene.policy(Fleet.FLEET, new Limit.Count(1))
                .with(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of())));
        scene.succeed("c0-w-0");
        assertThat(scene.inFlight())
                .as("what runs goes on, nothing else begins")
                .isEmpty();
        assertThat(scene.explain("c0-w-1").next())
                .contains("Campaign up has no approval", "campaigns.requireApproval", "up/approve/rest");
        scene.order(REST, Verb.APPROVE);
        assertThat(scene.inFlight()).containsExactly("c0-w-1");
    }

    @Test
    void anEditOfACampaignInWhichSomebodyApprovedWaitsForThemAgain() {
        scene.cap(1);
        fleet(3);
        campaign(first(new Limit.Count(2), Wave.Approval.NONE), rest(Wave.Approval.NONE));
        scene.arrive(Scene.policy(Fleet.FLEET, new Limit.Count(1))
                .with(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of())));
        scene.order(new OrderKey.Approve(UP, "first"), Verb.APPROVE);
        scene.inFlight().forEach(scene::succeed);
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).as("the first wave is done with").hasSize(1);
        campaign(first(new Limit.Count(2), Wave.Approval.BEFORE), rest(Wave.Approval.NONE));
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.inFlight()).isEmpty();
    }

    @Test
    void aCampaignToATargetThatThePolicyForbidsLaterStartsNothingMoreAndTakesBackWhatHasNotCalled() {
        scene.cap(1);
        fleet(2);
        campaign(rest(Wave.Approval.NONE));
        assertThat(scene.inFlight()).containsExactly("c0-w-0");
        scene.arrive(Scene.policy(Fleet.FLEET, new Limit.Count(1))
                .with(new CampaignRule(null, null, List.of("revision=*"))));
        assertThat(scene.command("c0-w-0")).isInstanceOf(Command.CancelUpgrade.class);
        assertThat(scene.closed("c0-w-1")).contains(GateLabel.CAMPAIGN);
        assertThat(scene.explain("c0-w-1").next())
                .contains(
                        "Campaign up leads to channel=1.33-classic/stable, and the fleet's policy allows campaigns to lead"
                                + " to revision=* (campaigns.targets)");
    }

    @Test
    void aControlPlaneThatIsHalfDoneIsFinished() {
        scene.cluster("a", 3, 0);
        campaign(rest(Wave.Approval.NONE));
        scene.succeed("a-cp-0");
        rule(new CampaignRule(RequiredApproval.BEFORE_FIRST_WAVE, null, List.of("revision=*")));
        assertThat(scene.inFlight()).containsExactly("a-cp-1");
    }

    /** Accepted before the policy; the whole campaign is its first wave. */
    @Test
    void aCampaignOfOneWaveHasNoFirstWaveThatMayStartWithoutAnApproval() {
        fleet(1);
        scene.order(new OrderKey.FleetFreeze(), Verb.FREEZE);
        campaign(first(null, Wave.Approval.NONE));
        require(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Percent(100));
        scene.order(new OrderKey.FleetFreeze(), Verb.UNFREEZE);
        assertThat(scene.inFlight()).isEmpty();
        assertThat(next()).contains("requires one before anything starts (campaigns.requireApproval)");
    }

    @Test
    void theApprovalThatIsAskedForIsTheOneThatItsAuthorAsksFor() {
        fleet(5);
        require(RequiredApproval.AFTER_FIRST_WAVE, new Limit.Percent(100));
        campaign(
                first(new Limit.Count(2), Wave.Approval.NONE),
                new Wave("second", List.of(), Selector.ALL, null, Wave.Approval.BEFORE, 100, Duration.ZERO),
                rest(Wave.Approval.NONE));
        scene.inFlight().forEach(scene::succeed);
        assertThat(scene.explain("c4-w-0").next() + scene.explain("c0-w-0").next())
                .contains("up/approve/second");
    }
}
