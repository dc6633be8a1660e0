package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.ApprovalNeed;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.OperatorOrder.OrderVerb;
import dev.flotilla.schemas.row.UpgradePolicy.CampaignRule;
import dev.flotilla.schemas.row.UpgradePolicy.RequiredApproval;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator is notified when, and only when, a campaign goes on after an approval alone. */
class ApprovalNeedTest {
    private static final CampaignName UP = new CampaignName("up");
    private static final OperatorOrderKey CANARY = new OperatorOrderKey.ApproveWave(UP, "canary");
    private static final OperatorOrderKey REST = new OperatorOrderKey.ApproveWave(UP, "rest");

    private final FleetScenario fleetScenario = FleetScenario.open();

    @BeforeEach
    void fiveClusters() {
        for (int i = 0; i < 5; i++) {
            fleetScenario.cluster("c" + i, 0, 1);
        }
    }

    private static CampaignBuilder campaign(Wave.WaveApproval canary, Wave.WaveApproval rest) {
        return CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary",
                        List.of(),
                        LabelSelector.ALL,
                        new CountOrPercent.Count(1),
                        canary,
                        100,
                        Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, null, rest, 100, Duration.ZERO));
    }

    private void start(Wave.WaveApproval canary, Wave.WaveApproval rest) {
        fleetScenario.campaign(campaign(canary, rest).build());
    }

    private boolean awaitsApproval() {
        return ApprovalNeed.awaitsApproval(
                fleetScenario.state, Objects.requireNonNull(fleetScenario.state.rollout(UP)));
    }

    private void succeedAll() {
        fleetScenario.inFlight().forEach(fleetScenario::succeed);
    }

    @Test
    void aWaveThatNeedsAnApprovalBeforeItBeginsAwaitsOne() {
        start(Wave.WaveApproval.BEFORE, Wave.WaveApproval.NONE);
        assertThat(awaitsApproval()).isTrue();
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(awaitsApproval()).isFalse();
        succeedAll();
        assertThat(awaitsApproval()).isFalse();
    }

    @Test
    void aWaveThatNeedsAnApprovalAfterItAwaitsOneOnlyAfterItsSuccesses() {
        start(Wave.WaveApproval.AFTER, Wave.WaveApproval.AFTER);
        assertThat(fleetScenario.inFlight()).hasSize(1);
        assertThat(awaitsApproval()).isFalse();
        succeedAll();
        assertThat(awaitsApproval()).isTrue();
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        assertThat(awaitsApproval()).isFalse();
        assertThat(fleetScenario.inFlight()).hasSize(4);
        succeedAll();
        assertThat(awaitsApproval()).as("the last wave").isTrue();
        fleetScenario.order(REST, OrderVerb.APPROVE);
        assertThat(awaitsApproval()).isFalse();
    }

    @Test
    void aLaterWaveIsNoReasonYet() {
        start(Wave.WaveApproval.NONE, Wave.WaveApproval.BEFORE);
        assertThat(awaitsApproval()).isFalse();
        succeedAll();
        assertThat(awaitsApproval()).isTrue();
    }

    @Test
    void anEditOfAnApprovedCampaignAwaitsOne() {
        start(Wave.WaveApproval.BEFORE, Wave.WaveApproval.NONE);
        fleetScenario.order(CANARY, OrderVerb.APPROVE);
        fleetScenario.campaign(campaign(Wave.WaveApproval.BEFORE, Wave.WaveApproval.NONE)
                .budget(3)
                .build());
        assertThat(awaitsApproval()).isTrue();
    }

    @Test
    void aPausedCampaignAwaitsSomethingElse() {
        start(Wave.WaveApproval.BEFORE, Wave.WaveApproval.NONE);
        fleetScenario.order(new OperatorOrderKey.SetCampaignState(UP), OrderVerb.PAUSE);
        assertThat(awaitsApproval()).isFalse();
    }

    @Test
    void anApprovalThatThePolicyRequiresCountsToo() {
        start(Wave.WaveApproval.NONE, Wave.WaveApproval.NONE);
        fleetScenario.receive(FleetScenario.policy(FleetScope.FLEET, null)
                .with(new CampaignRule(RequiredApproval.AFTER_FIRST_WAVE, new CountOrPercent.Count(1), List.of())));
        assertThat(awaitsApproval()).as("the first wave").isFalse();
        succeedAll();
        assertThat(awaitsApproval()).as("the second wave").isTrue();
        fleetScenario.order(REST, OrderVerb.APPROVE);
        assertThat(awaitsApproval()).isFalse();
    }
}
