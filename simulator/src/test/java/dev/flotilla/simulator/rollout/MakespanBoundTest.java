package dev.flotilla.simulator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.simulator.rollout.MakespanBound.CampaignUpgradeWork;
import dev.flotilla.simulator.rollout.MakespanBound.ClusterUpgradeWork;
import dev.flotilla.simulator.rollout.MakespanBound.WaveUpgradeWork;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MakespanBoundTest {

    @Test
    void workFillsTheCap() {
        assertThat(MakespanBound.campaignMillis(List.of(new WaveUpgradeWork(singles(8), 100)), 4))
                .isEqualTo(20);
    }

    @Test
    void clusterUpgradesItsControlPlaneOneByOne() {
        ClusterUpgradeWork cluster =
                new ClusterUpgradeWork(List.of(10L, 10L, 10L), List.of(10L, 10L, 10L, 10L), 2, List.of());

        assertThat(MakespanBound.campaignMillis(List.of(new WaveUpgradeWork(List.of(cluster), 100)), 50))
                .isEqualTo(50);
    }

    @Test
    void waveWaitsForTheOneBeforeIt() {
        WaveUpgradeWork canary = new WaveUpgradeWork(singles(1), 100);

        assertThat(MakespanBound.campaignMillis(List.of(canary, new WaveUpgradeWork(singles(4), 100)), 4))
                .isEqualTo(20);
    }

    @Test
    void slotsThatACanaryLeavesUnusedAreLost() {
        ClusterUpgradeWork canary = new ClusterUpgradeWork(List.of(10L, 10L), List.of(10L, 10L), 2, List.of());

        // The first success takes 10 on one slot of four; then 30 of its own and 80 of the others remain for all four.
        assertThat(MakespanBound.campaignMillis(
                        List.of(new WaveUpgradeWork(List.of(canary), 25), new WaveUpgradeWork(singles(8), 100)), 4))
                .isEqualTo(10 + (30 + 80 + 3) / 4);
    }

    @Test
    void waveWaitsForNoMoreSuccessesThanItNeeds() {
        ClusterUpgradeWork slow = new ClusterUpgradeWork(List.of(100L), List.of(), 1, List.of());
        WaveUpgradeWork half = new WaveUpgradeWork(List.of(singles(1).get(0), slow), 50);

        assertThat(MakespanBound.campaignMillis(List.of(half, new WaveUpgradeWork(singles(1), 100)), 4))
                .isEqualTo(100);
    }

    @Test
    void campaignsShareTheCapOfTheFleet() {
        CampaignUpgradeWork campaign = new CampaignUpgradeWork(List.of(new WaveUpgradeWork(singles(8), 100)), 8);

        assertThat(MakespanBound.campaignsMillis(List.of(campaign), 8)).isEqualTo(10);
        assertThat(MakespanBound.campaignsMillis(List.of(campaign, campaign, campaign), 8))
                .isEqualTo(30);
    }

    @Test
    void campaignWithALowCapTakesLongestAlone() {
        CampaignUpgradeWork slow = new CampaignUpgradeWork(List.of(new WaveUpgradeWork(singles(5), 100)), 1);

        assertThat(MakespanBound.campaignsMillis(List.of(slow, slow), 10)).isEqualTo(50);
    }

    private static List<ClusterUpgradeWork> singles(int count) {
        return Stream.generate(() -> new ClusterUpgradeWork(List.of(10L), List.of(), 1, List.of()))
                .limit(count)
                .toList();
    }
}
