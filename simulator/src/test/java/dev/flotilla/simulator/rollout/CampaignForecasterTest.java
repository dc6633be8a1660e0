package dev.flotilla.simulator.rollout;

import static dev.flotilla.simulator.rollout.SmallVirtualFleets.cluster;
import static dev.flotilla.simulator.rollout.SmallVirtualFleets.fleet;
import static dev.flotilla.simulator.rollout.SmallVirtualFleets.oneWave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.TimeZoneName;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignDependency;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.MaintenanceWindow;
import dev.flotilla.schemas.row.NodeUpgradeTemplateRef;
import dev.flotilla.schemas.row.PrefetchCaps;
import dev.flotilla.schemas.row.PreparationRule;
import dev.flotilla.schemas.row.ProviderRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeProvider;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class CampaignForecasterTest {
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final CampaignForecaster.UpgradeDurationModel TEN_MINUTES_EACH =
            (state, campaign, machine) -> TEN_MINUTES.toMillis();
    private static final Instant START = VirtualRollout.START;
    private static final UpgradeTarget TARGET = new UpgradeTarget.Channel("1.35-classic/stable");

    @Test
    void forecastEqualsARolloutWithTheSameDurations() {
        VirtualFleet fleet = fleet(9, 3, 12, 1, 5);
        MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(fleet.machines(), TEN_MINUTES, 0.5, 3);
        Campaign campaign = campaign("upgrade", TARGET, canaryAndRest(Wave.WaveApproval.NONE));
        VirtualRollout before = loaded(fleet, times, 4);

        CampaignForecast forecast = CampaignForecaster.forecast(
                before.state(),
                START,
                campaign,
                (state, of, machine) ->
                        times.millis(VirtualInventoryRows.number(Objects.requireNonNull(machine.uid()))));

        VirtualRolloutResult actual = loaded(fleet, times, 4).run(List.of(campaign));
        assertThat(forecast.machines()).isEqualTo(30);
        assertThat(forecast.clusters()).isEqualTo(5);
        assertThat(forecast.end()).isEqualTo(START.plusMillis(actual.makespanMillis()));
        assertThat(forecast.waves())
                .extracting(
                        CampaignForecast.WaveForecast::startsAt,
                        CampaignForecast.WaveForecast::endsAt,
                        CampaignForecast.WaveForecast::machines)
                .containsExactlyElementsOf(actual.waves().stream()
                        .map(wave -> Tuple.tuple(
                                START.plusMillis(wave.startMillis()),
                                START.plusMillis(wave.endMillis()),
                                wave.machines()))
                        .toList());
        assertThat(forecast.waitingByGate()).isEmpty();
        assertThat(forecast.waitingMachines()).isEmpty();
    }

    @Test
    void openAttemptsHoldTheirSlots() {
        VirtualFleet fleet = new VirtualFleet.Builder()
                .cluster(cluster("a", 0), Labels.NONE, 1, 0)
                .cluster(cluster("a", 1), Labels.NONE, 1, 0)
                .cluster(cluster("b", 2), Labels.NONE, 1, 0)
                .build();
        VirtualRollout before = loaded(fleet, MachineUpgradeDurations.equal(3, TEN_MINUTES), 2);
        MachineSelection siteA = new MachineSelection(
                List.of(new SiteId("a")), LabelSelector.ALL, LabelSelector.ALL, List.of(), List.of(), List.of());
        before.begin(List.of(campaign("first", spec(TARGET).select(siteA).waves(oneWave()))));

        CampaignForecast forecast = CampaignForecaster.forecast(
                before.state(), START, campaign("second", TARGET, oneWave()), TEN_MINUTES_EACH);

        assertThat(forecast.end()).isEqualTo(START.plus(TEN_MINUTES).plus(TEN_MINUTES));
    }

    @Test
    void approvalsAreGivenImmediately() {
        CampaignForecast forecast = CampaignForecaster.forecast(
                loaded(fleet(4, 2), MachineUpgradeDurations.equal(6, TEN_MINUTES), 10)
                        .state(),
                START,
                campaign("upgrade", TARGET, canaryAndRest(Wave.WaveApproval.BEFORE)),
                TEN_MINUTES_EACH);

        assertThat(forecast.waves())
                .extracting(CampaignForecast.WaveForecast::approval)
                .containsExactly(true, false);
        assertThat(forecast.waves()).noneMatch(wave -> wave.endsAt() == null);
        assertThat(forecast.waitingByGate()).isEmpty();
    }

    @Test
    void namesMachinesThatFitIntoNoWindow() {
        MaintenanceWindow fiveMinutes = new MaintenanceWindow(List.of(), null, 60, 65, new TimeZoneName("Europe/Oslo"));
        CampaignForecast forecast = CampaignForecaster.forecast(
                loaded(fleet(2), MachineUpgradeDurations.equal(2, TEN_MINUTES), 10)
                        .state(),
                START,
                campaign("upgrade", spec(TARGET).waves(oneWave()).windows(List.of(fiveMinutes))),
                TEN_MINUTES_EACH);

        assertThat(forecast.end()).isNull();
        assertThat(forecast.waitingByGate()).containsOnlyKeys(GateLabel.MAINTENANCE_WINDOW);
        assertThat(forecast.waitingMachines())
                .hasSize(2)
                .allMatch(waitingMachine -> waitingMachine.gate().gate() == GateLabel.MAINTENANCE_WINDOW);
    }

    @Test
    void namesTheEarlierCampaignThatItWaitsFor() {
        VirtualRollout before = loaded(fleet(2), MachineUpgradeDurations.equal(2, TEN_MINUTES), 10);
        CampaignDependency never = new CampaignDependency(new CampaignName("unwritten"), 100);
        before.begin(List.of(campaign("first", spec(TARGET).waves(oneWave()).dependsOn(List.of(never)))));

        CampaignForecast forecast = CampaignForecaster.forecast(
                before.state(),
                START,
                campaign("second", new UpgradeTarget.Channel("1.36-classic/stable"), oneWave()),
                TEN_MINUTES_EACH);

        assertThat(forecast.end()).isNull();
        assertThat(forecast.waitingMachines())
                .hasSize(2)
                .allSatisfy(waitingMachine ->
                        assertThat(waitingMachine.gate().actual()).isEqualTo("overlaps campaign first"));
    }

    @Test
    void namesTheReasonOfARejection() {
        VirtualRollout before = loaded(fleet(2), MachineUpgradeDurations.equal(2, TEN_MINUTES), 10);
        before.begin(List.of(campaign("upgrade", TARGET, oneWave())));

        CampaignForecast forecast = CampaignForecaster.forecast(
                before.state(),
                START,
                campaign("upgrade", new UpgradeTarget.Channel("1.36-classic/stable"), oneWave()),
                TEN_MINUTES_EACH);

        assertThat(Objects.requireNonNull(forecast.rejected()).path()).isEqualTo("spec.target.option");
    }

    @Test
    void foretellsPreparationsUnderTheirCap() {
        Instant start = START.plus(Duration.ofHours(2));
        CampaignForecast forecast = preparing(start, Duration.ofHours(1));

        assertThat(forecast.preparation())
                .isEqualTo(new CampaignForecast.PreparationForecast(
                        4, START.plus(Duration.ofHours(1)), START.plus(Duration.ofMinutes(80))));
        assertThat(forecast.waves())
                .first()
                .extracting(CampaignForecast.WaveForecast::startsAt)
                .isEqualTo(start);
    }

    @Test
    void foretellsThatMachinesWithoutTimeAreNotPrepared() {
        assertThat(preparing(START.plus(Duration.ofMinutes(15)), Duration.ofHours(1))
                        .preparation())
                .isEqualTo(new CampaignForecast.PreparationForecast(2, START, START.plus(Duration.ofMinutes(15))));
        assertThat(preparing(START, Duration.ofHours(1)).preparation())
                .isEqualTo(new CampaignForecast.PreparationForecast(0, null, null));
    }

    @Test
    void countsMachinesThatAnotherCampaignPreparesForTheSameTarget() {
        VirtualRollout rollout = fleetThatPrepares();
        rollout.begin(List.of(preparing("first", START.plus(Duration.ofHours(2)), Duration.ofHours(4))));

        CampaignForecast forecast = CampaignForecaster.forecast(
                rollout.state(),
                START,
                preparing("second", START.plus(Duration.ofHours(3)), Duration.ofHours(4)),
                TEN_MINUTES_EACH);

        assertThat(forecast.preparation())
                .isEqualTo(new CampaignForecast.PreparationForecast(4, START, START.plus(Duration.ofMinutes(20))));
    }

    /** Four machines, of which two prepare at once. */
    private static CampaignForecast preparing(Instant startAt, Duration before) {
        return CampaignForecaster.forecast(
                fleetThatPrepares().state(), START, preparing("upgrade", startAt, before), TEN_MINUTES_EACH);
    }

    private static Campaign preparing(String name, Instant startAt, Duration before) {
        return campaign(
                name,
                spec(new UpgradeTarget.KubernetesRelease("v1.36.3"))
                        .waves(oneWave())
                        .startAt(startAt)
                        .preparation(new PreparationRule(before)));
    }

    private static VirtualRollout fleetThatPrepares() {
        VirtualRollout rollout = new VirtualRollout(
                fleet(4),
                VirtualInventoryRows.plain(),
                VirtualWorkerModel.faultless(MachineUpgradeDurations.equal(4, TEN_MINUTES)),
                DecisionMeter.NONE);
        rollout.load(new UpgradePolicy(FleetScope.FLEET, null, null, false, null, null, null, null)
                .withProviderRules(List.of(new ProviderRule(
                        List.of(),
                        LabelSelector.ALL,
                        UpgradeProvider.NODE_UPGRADE,
                        new NodeUpgradeTemplateRef("flotilla.dev/v1alpha1", "NodeUpgradeTemplate", "kubeadm"))))
                .withPrefetchCaps(new PrefetchCaps(new CountOrPercent.Count(2), null)));
        return rollout;
    }

    private static VirtualRollout loaded(VirtualFleet fleet, MachineUpgradeDurations times, int cap) {
        VirtualRollout rollout = new VirtualRollout(
                fleet, VirtualInventoryRows.plain(), VirtualWorkerModel.faultless(times), DecisionMeter.NONE);
        rollout.load(new UpgradePolicy(
                FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null));
        return rollout;
    }

    private static List<Wave> canaryAndRest(Wave.WaveApproval approval) {
        Wave canary = new Wave(
                "canary",
                List.of(),
                LabelSelector.ALL,
                new CountOrPercent.Percent(40),
                approval,
                100,
                Duration.ofMinutes(30));
        return List.of(canary, oneWave().getFirst());
    }

    private static Campaign campaign(String name, UpgradeTarget target, List<Wave> waves) {
        return campaign(name, spec(target).waves(waves));
    }

    private static Campaign campaign(String name, CampaignSpecBuilder spec) {
        return new Campaign(new CampaignName(name), Labels.NONE, spec.build());
    }

    private static CampaignSpecBuilder spec(UpgradeTarget target) {
        return new CampaignSpecBuilder(target, MachineSelection.EVERYTHING).priority(0);
    }
}
