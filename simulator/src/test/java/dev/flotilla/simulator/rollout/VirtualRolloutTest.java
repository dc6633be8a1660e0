package dev.flotilla.simulator.rollout;

import static dev.flotilla.simulator.rollout.SmallVirtualFleets.cluster;
import static dev.flotilla.simulator.rollout.SmallVirtualFleets.fleet;
import static dev.flotilla.simulator.rollout.SmallVirtualFleets.oneWave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.AttemptStep;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualRolloutTest {
    private static final CountOrPercent ONE = new CountOrPercent.Count(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void boundIsTheWorkOverTheCapIfTheCapIsNarrow() {
        VirtualFleet fleet = fleet(1, 1, 1, 1, 1, 1);
        assertThat(MakespanBound.fleetMillis(fleet, MachineUpgradeDurations.of(10, 20, 30, 40, 50, 60), 2, ONE))
                .isEqualTo(105);
    }

    @Test
    void boundIsTheLongestMachineIfNothingElseLimits() {
        VirtualFleet fleet = fleet(1, 1, 1);
        assertThat(MakespanBound.fleetMillis(fleet, MachineUpgradeDurations.of(10, 70, 30), 10, ONE))
                .isEqualTo(70);
    }

    @Test
    void boundIsTheControlPlaneInSequenceThenWorkersInParallel() {
        VirtualFleet fleet = fleet(7, 1);
        MachineUpgradeDurations times = MachineUpgradeDurations.of(10, 20, 30, 5, 6, 7, 8, 40);
        assertThat(MakespanBound.fleetMillis(fleet, times, 100, ONE)).isEqualTo(60 + 26);
        assertThat(MakespanBound.fleetMillis(fleet, times, 100, new CountOrPercent.Count(2)))
                .isEqualTo(60 + 13);
        assertThat(MakespanBound.fleetMillis(fleet, times, 100, new CountOrPercent.Count(4)))
                .isEqualTo(60 + 8);
        assertThat(MakespanBound.fleetMillis(fleet, times, 1, new CountOrPercent.Count(4)))
                .isEqualTo(126);
    }

    @Test
    void capOfOneUpgradesMachinesOneByOne() {
        VirtualFleet fleet = fleet(7, 4, 1);
        MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(fleet.machines(), MINUTE, 0.5, 7);
        VirtualRolloutResult result = play(fleet, VirtualWorkerModel.faultless(times), 1, campaign(oneWave()));
        assertThat(result.peakInFlight()).isEqualTo(1);
        assertThat(result.succeeded()).isEqualTo(12);
        assertThat(result.makespanMillis()).isEqualTo(MakespanBound.fleetMillis(fleet, times, 1, ONE));
    }

    @Test
    void noRolloutBeatsTheBound() {
        Random random = new Random(3);
        for (int run = 0; run < 60; run++) {
            int[] sizes = random.ints(1 + random.nextInt(8), 1, 20).toArray();
            VirtualFleet fleet = fleet(sizes);
            MachineUpgradeDurations times = MachineUpgradeDurations.lognormal(fleet.machines(), MINUTE, 0.6, run);
            int cap = 1 + random.nextInt(12);
            VirtualRolloutResult result = play(fleet, VirtualWorkerModel.faultless(times), cap, campaign(oneWave()));
            assertThat(result.succeeded()).isEqualTo(fleet.machines());
            assertThat(result.peakInFlight()).isLessThanOrEqualTo(cap);
            assertThat(result.makespanMillis())
                    .isGreaterThanOrEqualTo(MakespanBound.fleetMillis(fleet, times, cap, ONE));
        }
    }

    @Test
    void equalDescriptionsGiveEqualResults() {
        VirtualFleet fleet = fleet(9, 3, 12, 1, 5);
        VirtualWorkerModel work = new VirtualWorkerModel(
                MachineUpgradeDurations.lognormal(30, MINUTE, 0.25, 5),
                List.of(AttemptStep.PREFLIGHT, AttemptStep.STARTING),
                0.2,
                5);
        assertThat(play(fleet, work, 4, campaign(oneWave()))).isEqualTo(play(fleet, work, 4, campaign(oneWave())));
    }

    @Test
    void retriesFailedMachines() {
        VirtualFleet fleet = fleet(10, 10, 10);
        VirtualWorkerModel work = new VirtualWorkerModel(
                MachineUpgradeDurations.equal(30, MINUTE), List.of(AttemptStep.STARTING), 0.1, 2);
        VirtualRolloutResult result = play(fleet, work, 10, campaign(oneWave()));
        assertThat(result.failedAttempts()).isPositive();
        assertThat(result.attempts()).isEqualTo(result.succeeded() + result.failedAttempts());
        assertThat(result.succeeded()).isEqualTo(30);
    }

    @Test
    void doesNotCountASlowMachineAsLost() {
        VirtualFleet fleet = fleet(1);
        VirtualWorkerModel work =
                VirtualWorkerModel.faultless(MachineUpgradeDurations.equal(1, Duration.ofMinutes(50)));
        VirtualRolloutResult result = play(fleet, work, 1, campaign(oneWave()));
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(result.makespanMillis()).isEqualTo(Duration.ofMinutes(50).toMillis());
    }

    @Test
    void playsWavesInOrderFromTheCampaignsStart() {
        VirtualFleet fleet = new VirtualFleet.Builder()
                .cluster(cluster("a", 0), Labels.NONE, 1, 1)
                .cluster(cluster("b", 1), Labels.NONE, 1, 2)
                .build();
        List<Wave> waves = List.of(
                new Wave("first", List.of(new SiteId("b")), LabelSelector.ALL, false, 100),
                new Wave("rest", List.of(), LabelSelector.ALL, false, 100));
        Instant start = VirtualRollout.START.plus(Duration.ofHours(1));
        VirtualRolloutResult result = play(
                fleet,
                VirtualWorkerModel.faultless(MachineUpgradeDurations.equal(5, MINUTE)),
                10,
                campaign(waves, start));
        long hour = Duration.ofHours(1).toMillis();
        long minute = MINUTE.toMillis();
        assertThat(result.waves())
                .containsExactly(
                        new VirtualRolloutResult.WaveSpan("upgrade", "first", 3, hour, hour + 3 * minute),
                        new VirtualRolloutResult.WaveSpan("upgrade", "rest", 2, hour + 3 * minute, hour + 5 * minute));
        assertThat(result.makespanMillis()).isEqualTo(hour + 5 * minute);
    }

    @Test
    void countsWaitingMachinesByGate() {
        VirtualFleet fleet = fleet(4, 2);
        List<Wave> waves = List.of(new Wave("all", List.of(), LabelSelector.ALL, true, 100));
        VirtualRolloutResult result = play(
                fleet, VirtualWorkerModel.faultless(MachineUpgradeDurations.equal(6, MINUTE)), 10, campaign(waves));
        assertThat(result.succeeded()).isZero();
        assertThat(result.waiting()).containsExactly(Map.entry(GateLabel.WAVE, 6));
    }

    @Test
    void findsAMachineByItsUid() {
        VirtualFleet fleet = fleet(5, 1, 40);
        VirtualInventoryRows rows = VirtualInventoryRows.plain();
        for (VirtualCluster cluster : fleet.clusters()) {
            for (int place = 0; place < cluster.size(); place++) {
                assertThat(VirtualInventoryRows.number(rows.row(cluster, place).uid()))
                        .isEqualTo(cluster.first() + place);
            }
        }
    }

    @Test
    void rejectsDurationsOfAnotherFleet() {
        assertThatThrownBy(() -> play(
                        fleet(2), VirtualWorkerModel.faultless(MachineUpgradeDurations.of(1)), 1, campaign(oneWave())))
                .hasMessageContaining("1 durations for 2 machines");
    }

    private static VirtualRolloutResult play(VirtualFleet fleet, VirtualWorkerModel work, int cap, Campaign campaign) {
        UpgradePolicy policy =
                new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
        return VirtualRollout.play(fleet, work, policy, List.of(campaign));
    }

    private static Campaign campaign(List<Wave> waves) {
        return campaign(waves, VirtualRollout.START);
    }

    private static Campaign campaign(List<Wave> waves, Instant start) {
        CampaignSpec spec = new CampaignSpecBuilder(new UpgradeTarget.Revision("1001"), MachineSelection.EVERYTHING)
                .expectedVersion("1.35.1")
                .waves(waves)
                .startAt(start)
                .priority(0)
                .maxUnavailable(ONE)
                .build();
        return new Campaign(new CampaignName("upgrade"), Labels.NONE, spec);
    }
}
