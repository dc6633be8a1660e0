package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.explain.Explain;
import dev.flotilla.core.fleet.Licence;
import dev.flotilla.core.gate.Closed;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.OperatorOrderKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.OperatorOrder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.AttemptReport;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.topic.Table;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person reads about a machine: which gate is closed to it, by what, and what is expected of it next. */
class SaidTest {
    private static final CampaignName UP = new CampaignName("up");

    private final Scene scene = Scene.open();

    private void started(CampaignBuilder campaign) {
        scene.cluster("a", 0, 3);
        scene.campaign(campaign.build());
    }

    private Closed only(String machine) {
        List<Closed> closed = scene.explain(machine).closed();
        assertThat(closed).hasSize(1);
        return closed.get(0);
    }

    private String next(String machine) {
        return scene.explain(machine).next();
    }

    @Test
    void aFullCapSaysOfWhatItIs() {
        scene.cap(1);
        started(CampaignBuilder.named("up"));
        assertThat(only("a-w-1").says()).isEqualTo("1 machines of the fleet are in flight, and 1 may be.");
        scene.arrive(Scene.policy(FleetScope.FLEET, null));
        scene.arrive(Scene.policy(Scene.SITE, new CountOrPercent.Count(3)));
        scene.cluster("b", 0, 1);
        assertThat(only("b-w-0").says()).isEqualTo("3 machines of the site are in flight, and 3 may be.");
    }

    @Test
    void aCampaignsAndAClustersCapSayOfWhatTheyAre() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        assertThat(only("a-w-1").says()).isEqualTo("1 machines of the campaign are in flight, and 1 may be.");
        scene.campaign(CampaignBuilder.named("up").clusterInFlight(2).build());
        assertThat(only("a-w-2").says()).isEqualTo("2 machines of the cluster are in flight, and 2 may be.");
    }

    @Test
    void aClosedCampaignSaysWhy() {
        started(CampaignBuilder.named("up").startAt(Scene.START.plus(Duration.ofHours(1))));
        assertThat(scene.explain("a-w-0").closed())
                .first()
                .satisfies(closed -> assertThat(closed.says()).isEqualTo("Campaign up is not started."));
        scene.campaign(CampaignBuilder.named("up")
                .deadline(Scene.START.plus(Duration.ofHours(2)))
                .inFlight(new CountOrPercent.Count(1))
                .build());
        scene.pass(Duration.ofHours(2));
        assertThat(scene.explain("a-w-1").closed())
                .first()
                .satisfies(closed -> assertThat(closed.says()).isEqualTo("Campaign up is past its deadline."));
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(scene.explain("a-w-1").closed())
                .first()
                .satisfies(closed -> assertThat(closed.says()).isEqualTo("Campaign up is paused: pause by ada: test."));
    }

    @Test
    void thePausedCampaignOfAHalfDoneControlPlaneSaysThatItIs() {
        scene.cluster("a", 3, 0);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.succeed("a-cp-0");
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        scene.report("a-cp-1", new AttemptReport.Cancelled());
        assertThat(next("a-cp-1")).endsWith("Its control plane in cluster north/default/a is half done.");
    }

    @Test
    void theOrderOfAClusterSaysWhoGoesBefore() {
        scene.cluster("a", 2, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(only("a-cp-1").says())
                .isEqualTo("Control plane first, one at a time: another control-plane machine is in flight.");
        assertThat(only("a-w-0").says())
                .isEqualTo("Control plane first, one at a time: a control-plane machine is in flight.");
    }

    @Test
    void theOrderOfAClusterSaysWhatItsControlPlaneWaitsFor() {
        scene.cluster("a", 1, 1);
        scene.campaign(CampaignBuilder.named("up").build());
        scene.fail("a-cp-0");
        assertThat(only("a-w-0").says())
                .isEqualTo("Control plane first, one at a time: the control plane is not at its target yet.");
        scene.pass(Duration.ofMinutes(2));
        scene.failForGood("a-cp-0");
        assertThat(only("a-w-0").says())
                .isEqualTo(
                        "Control plane first, one at a time: a control-plane machine is quarantined: skip it or order a"
                                + " retry.");
    }

    @Test
    void theRestOfAControlPlaneSaysThatAMemberIsQuarantined() {
        scene.cluster("a", 2, 0);
        scene.campaign(CampaignBuilder.named("up").budget(2).build());
        scene.failForGood("a-cp-0");
        assertThat(closed("a-cp-1", GateLabel.CLUSTER_ORDER).says())
                .isEqualTo(
                        "Control plane first, one at a time: a control-plane machine is quarantined: skip it or order a"
                                + " retry.");
    }

    @Test
    void aWaveSaysThatTheOneBeforeItIsNotApproved() {
        scene.cluster("a", 0, 1);
        scene.cluster("b", 0, 1);
        scene.campaign(CampaignBuilder.named("up")
                .wave(new Wave(
                        "canary", List.of(), LabelSelector.ALL, new CountOrPercent.Count(1), Wave.WaveApproval.AFTER, 100, Duration.ZERO))
                .wave(new Wave("rest", List.of(), LabelSelector.ALL, false, 100))
                .build());
        List<String> canary = scene.inFlight();
        canary.forEach(scene::succeed);
        assertThat(only(canary.equals(List.of("a-w-0")) ? "b-w-0" : "a-w-0"))
                .isEqualTo(new Closed(
                        GateLabel.WAVE,
                        "not approved",
                        "approved",
                        "Wave rest begins when wave canary has been approved of, by the order up/approve/canary."));
    }

    @Test
    void aSilentSiteSaysSinceWhen() {
        scene.pass(Duration.ofMinutes(5));
        scene.take(new Input.SiteSilent(Scene.SITE, scene.now));
        started(CampaignBuilder.named("up"));
        assertThat(only("a-w-0").have()).isEqualTo("silent since " + scene.now);
        assertThat(only("a-w-0").need()).isEqualTo("a heartbeat in the last 30 s");
        scene.arrive(new UpgradePolicy(
                Scene.SITE,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                UpgradePolicy.MaintenanceCalendar.NONE,
                Duration.ofSeconds(70)));
        assertThat(only("a-w-0").need()).isEqualTo("a heartbeat in the last 70 s");
    }

    @Test
    void theFleetsPolicySaysHowSoonASiteIsSilentWhereTheSitesDoesNot() {
        assertThat(scene.state.silentAfter(Scene.SITE)).isEqualTo(UpgradePolicy.SILENT_AFTER);
        scene.arrive(new UpgradePolicy(
                FleetScope.FLEET,
                null,
                null,
                false,
                null,
                null,
                null,
                null,
                null,
                UpgradePolicy.MaintenanceCalendar.NONE,
                Duration.ofSeconds(50)));
        assertThat(scene.state.silentAfter(Scene.SITE)).isEqualTo(Duration.ofSeconds(50));
        scene.arrive(Scene.policy(Scene.SITE, null));
        assertThat(scene.state.silentAfter(Scene.SITE)).isEqualTo(Duration.ofSeconds(50));
    }

    @Test
    void anUnreadableRecordOfASiteIsNamed() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        scene.poison("flotilla.policies", "north");
        assertThat(scene.explain("a-w-1").closed()).first().satisfies(closed -> {
            assertThat(closed.gate()).isEqualTo(GateLabel.REJECTED_INPUT);
            assertThat(closed.says()).contains("north");
        });
        scene.poison("flotilla.orders", "site/north/freeze");
        assertThat(scene.explain("a-w-1").closed())
                .first()
                .satisfies(closed -> assertThat(closed.says()).contains("site/north/freeze"));
    }

    @Test
    void aMachineSaysWhatIsTheMatterWithIt() {
        started(CampaignBuilder.named("up").inFlight(new CountOrPercent.Count(1)));
        scene.poison("flotilla.inventory.north", "machine/default/a-w-1");
        assertThat(closed("a-w-1", GateLabel.MACHINE).says())
                .startsWith("The machine has an inventory row that cannot be read");
        scene.state.settle(scene.gates, scene.now);
        assertThat(scene.gates.closed(java.util.Optional.ofNullable(scene.state.candidate(
                                java.util.Optional.ofNullable(scene.state.rollout(UP))
                                        .orElseThrow(),
                                java.util.Optional.ofNullable(scene.state.machine(Scene.machine("a-w-0")))
                                        .orElseThrow(),
                                scene.now))
                        .orElseThrow()))
                .anyMatch(closed -> closed.says().equals("The machine has an attempt open."));
    }

    private Closed closed(String machine, GateLabel gate) {
        return scene.explain(machine).closed().stream()
                .filter(closed -> closed.gate() == gate)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsAtWorkSaysWhatIsExpectedOfIt() {
        started(CampaignBuilder.named("up"));
        assertThat(next("a-w-0")).isEqualTo("Its worker may call until " + Scene.START.plus(Licence.LENGTH) + ".");
        scene.step("a-w-0", AttemptStep.GUARDING);
        assertThat(next("a-w-0")).isEqualTo("Its worker may call until " + Scene.START.plus(Licence.LENGTH) + ".");
        scene.step("a-w-0", AttemptStep.STARTING);
        assertThat(next("a-w-0")).isEqualTo("It should end by " + Scene.START.plus(Licence.ATTEMPT_DEADLINE) + ".");
        scene.report("a-w-0", new AttemptReport.OutcomeUnknown("cut off"));
        assertThat(next("a-w-0")).startsWith("Nothing is known of it since " + Scene.START);
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.PAUSE);
        assertThat(next("a-w-1")).endsWith(". Its call is no longer wanted.");
    }

    @Test
    void whatIsOverSaysHowItEnded() {
        started(CampaignBuilder.named("up"));
        scene.succeed("a-w-0");
        assertThat(next("a-w-0")).isEqualTo("Nothing more is asked of it.");
        scene.failForGood("a-w-1");
        assertThat(next("a-w-1")).endsWith("it failed with refresh-error: snap said never");
        scene.fail("a-w-2");
        scene.order(new OperatorOrderKey.SetCampaignState(UP), OperatorOrder.OrderVerb.ABORT);
        assertThat(next("a-w-2")).isEqualTo("Its campaign is over.");
        scene.arrive(MachineBuilder.like(scene.row("a-w-2")).optedOut().build());
        assertThat(next("a-w-2")).isEqualTo("It has opted out.");
    }

    @Test
    void whatIsGoneWhileItWaitedGoesOnWhenItIsBack() {
        started(CampaignBuilder.named("up"));
        scene.fail("a-w-0");
        scene.arrive(new Tombstone(new RowKey(Table.INVENTORY, Scene.machine("a-w-0"))));
        assertThat(next("a-w-0")).isEqualTo("Its inventory row is gone; it goes on when the row is back.");
    }

    @Test
    void ofWhatNobodyKnowsOrAsksItSaysSo() {
        scene.cluster("a", 0, 1);
        assertThat(next("a-w-0")).isEqualTo("No campaign or intent selects it.");
        scene.arrive(MachineBuilder.like(scene.row("a-w-0")).optedOut().build());
        assertThat(next("a-w-0")).isEqualTo("It has opted out.");
        MachineKey nobody = Scene.machine("nobody");
        assertThat(Explain.machine(scene.state, scene.gates, nobody, scene.now).next())
                .isEqualTo("No inventory row names this machine.");
    }

    /** Nothing is written where a row says what is known, and a row that could not be read is known by none. */
    @Test
    void aClusterRowThatCanBeReadAgainOpensItsCluster() {
        scene.cluster("a", 0, 1);
        ClusterRow row = new ClusterRow(
                new ClusterKey(Scene.SITE, "default", "a"), "uid-a", Labels.NONE, false, false, null, 0, 1);
        scene.poison("flotilla.inventory.north", "cluster/default/a");
        scene.campaign(CampaignBuilder.named("up").build());
        assertThat(scene.inFlight()).isEmpty();
        scene.arrive(row);
        assertThat(scene.inFlight()).containsExactly("a-w-0");
        int before = scene.decisions.size();
        scene.arrive(row);
        assertThat(scene.decisions).hasSize(before);
    }
}
