package dev.flotilla.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.decision.DecisionInput;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.core.gate.GateChain;
import dev.flotilla.core.gate.GateLabel;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.id.WaveKey;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignState;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.Wave;
import dev.flotilla.schemas.row.WaveStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waves with a size: a percentage of the clusters, or a count that becomes one at acceptance. */
class WaveClusterAssignerTest {
    private static final CampaignName UP = new CampaignName("up");

    private final FleetScenario fleetScenario = FleetScenario.open();

    private void clusters(int count, int workers) {
        for (int i = 0; i < count; i++) {
            fleetScenario.cluster("k" + i, 0, workers);
        }
    }

    private static Campaign canary(CountOrPercent limit) {
        return CampaignBuilder.named("up")
                .share("canary", limit)
                .wave("rest", LabelSelector.ALL, false, 100)
                .build();
    }

    private String waveOf(int cluster) {
        return waveOf(fleetScenario.state, cluster);
    }

    private String waveOf(FleetState state, int cluster) {
        CampaignRollout campaign = Optional.ofNullable(state.rollout(UP)).orElseThrow();
        return campaign.waveName(Optional.ofNullable(state.machine(FleetScenario.machine("k" + cluster + "-w-0")))
                .orElseThrow());
    }

    private Map<String, Integer> sizes(int clusters) {
        Map<String, Integer> sizes = new TreeMap<>();
        for (int i = 0; i < clusters; i++) {
            sizes.merge(waveOf(i), 1, Integer::sum);
        }
        return sizes;
    }

    private WaveStatus wave(String name) {
        return (WaveStatus)
                Optional.ofNullable(fleetScenario.rows.get(new RowKey(Table.CAMPAIGN_STATUS, new WaveKey(UP, name))))
                        .orElseThrow();
    }

    @Test
    void aPercentageSelectsThatPartOfTheClusters() {
        clusters(400, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .share("canary", new CountOrPercent.Percent(5))
                .share("early", new CountOrPercent.Percent(20))
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        Map<String, Integer> sizes = sizes(400);
        assertThat(sizes.get("canary")).isBetween(8, 34);
        assertThat(sizes.get("early")).isBetween(56, 104);
        assertThat(wave("canary").sharePartsPerMillion()).isEqualTo(50_000);
        assertThat(wave("early").sharePartsPerMillion()).isEqualTo(200_000);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "5, 2", "10, 5", "12, 6", "1000, 60"})
    void aCountIsAMaximumInWholeClustersAndAtLeastOneCluster(int count, int clusters) {
        clusters(60, 2);
        fleetScenario.campaign(canary(new CountOrPercent.Count(count)));
        assertThat(sizes(60).get("canary")).isEqualTo(clusters);
        assertThat(fleetScenario.inFlight()).hasSize(2 * clusters);
    }

    @Test
    void aSmallFleetHasACanary() {
        clusters(3, 1);
        fleetScenario.campaign(canary(new CountOrPercent.Percent(1)));
        assertThat(sizes(3)).isEqualTo(Map.of("canary", 1, "rest", 2));
        assertThat(fleetScenario.inFlight()).hasSize(1);
    }

    @Test
    void aClusterThatJoinsOrLeavesMovesNoOther() {
        clusters(40, 1);
        fleetScenario.campaign(canary(new CountOrPercent.Count(10)));
        Map<Integer, String> before = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            before.put(i, waveOf(i));
        }
        for (int i = 40; i < 80; i++) {
            fleetScenario.cluster("k" + i, 0, 1);
        }
        fleetScenario.receive(new Tombstone(new RowKey(Table.INVENTORY, FleetScenario.machine("k3-w-0"))));
        before.remove(3);
        before.forEach((cluster, wave) -> assertThat(waveOf(cluster)).isEqualTo(wave));
        assertThat(IntStream.range(40, 80)
                        .filter(i -> waveOf(i).equals("canary"))
                        .count())
                .isBetween(3L, 20L);
    }

    @Test
    void aRestoredLeaderAssignsTheSameWaves() {
        clusters(40, 1);
        fleetScenario.campaign(canary(new CountOrPercent.Percent(30)));
        FleetState restored = new FleetState();
        for (RowChange rowChange : fleetScenario.rows.values()) {
            restored.put(rowChange);
        }
        restored.refreshDerivedState(GateChain.standard(), fleetScenario.now);
        for (int i = 0; i < 40; i++) {
            assertThat(waveOf(restored, i)).isEqualTo(waveOf(i));
        }
    }

    @Test
    void wavesOfDifferentSitesAreIndependent() {
        Labels gold = CampaignBuilder.labels("tier", "gold");
        Labels iron = CampaignBuilder.labels("tier", "iron");
        for (int i = 0; i < 100; i++) {
            fleetScenario.cluster(FleetScenario.SITE, "k" + i, 0, 1, i % 2 == 0 ? gold : iron);
        }
        fleetScenario.campaign(CampaignBuilder.named("up")
                .wave(share("gold", "gold", 60))
                .wave(share("iron", "iron", 60))
                .wave("rest", LabelSelector.ALL, false, 100)
                .build());
        Map<String, Integer> sizes = sizes(100);
        assertThat(sizes.get("gold")).isBetween(20, 40);
        assertThat(sizes.get("iron")).isBetween(20, 40);
    }

    private static Wave share(String name, String tier, int percent) {
        return new Wave(
                name,
                List.of(),
                CampaignBuilder.where("tier", tier),
                new CountOrPercent.Percent(percent),
                Wave.WaveApproval.NONE,
                100,
                Duration.ZERO);
    }

    @Test
    void aJoiningClusterOfAClosedWaveGoesToTheFirstOpenWave() {
        clusters(2, 1);
        fleetScenario.campaign(CampaignBuilder.named("up")
                .share("canary", new CountOrPercent.Percent(99))
                .wave("late", LabelSelector.ALL, true, 100)
                .build());
        for (int i = 0; i < 2; i++) {
            fleetScenario.succeed("k" + i + "-w-0");
        }
        fleetScenario.cluster("k2", 0, 1);
        assertThat(waveOf(2)).isEqualTo("late");
        assertThat(waveOf(0)).isEqualTo("canary");
    }

    @Test
    void anEditOfTheCountFixesTheSizeAgainAndKeepsStartedClusters() {
        clusters(40, 1);
        fleetScenario.cap(1);
        fleetScenario.campaign(canary(new CountOrPercent.Count(2)));
        String begun = fleetScenario.inFlight().get(0);
        fleetScenario.campaign(canary(new CountOrPercent.Count(20)));
        assertThat(sizes(40).get("canary")).isBetween(20, 21);
        assertThat(fleetScenario.entry(begun).wave()).isEqualTo("canary");
        fleetScenario.campaign(canary(new CountOrPercent.Count(1)));
        int first = Integer.parseInt(begun.substring(1, begun.indexOf('-')));
        assertThat(waveOf(first)).isEqualTo("canary");
        assertThat(sizes(40).get("canary")).isBetween(1, 2);
    }

    @Test
    void fixesNoSizeWhileASiteIsUnreadable() {
        clusters(4, 1);
        SiteId south = new SiteId("south");
        fleetScenario.state.put(new SiteHead(south, null, Instant.EPOCH, 0, List.of(), List.of()));
        fleetScenario.campaign(canary(new CountOrPercent.Count(2)));
        assertThat(fleetScenario.inFlight()).isEmpty();
        assertThat(fleetScenario.closed("k0-w-0")).contains(GateLabel.WAVE);
        assertThat(fleetScenario.explain("k0-w-0").nextStep()).contains("can be read or is written off");
        fleetScenario.state.markRestored(south);
        fleetScenario.decide(new DecisionInput.SiteReachable(south, fleetScenario.now));
        assertThat(fleetScenario.inFlight()).hasSize(2);
        assertThat(fleetScenario.campaignStatus("up").state()).isEqualTo(CampaignState.RUNNING);
    }
}
