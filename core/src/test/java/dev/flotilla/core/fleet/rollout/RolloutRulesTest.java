package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.fleet.inventory.ClusterCounts;
import dev.flotilla.core.fleet.inventory.ClusterState;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import org.junit.jupiter.api.Test;

class RolloutRulesTest {
    private static final SiteId SITE = new SiteId("north");

    private final ClusterState cluster =
            new FleetInventory(new IntentStatusTable()).cluster(new ClusterKey(SITE, "default", "c"));

    private int maxUnavailable(CountOrPercent value, int workers) {
        cluster.recount(new ClusterCounts(0, 0, 0, 0, 0, workers, 0, workers, 0, 0));
        return rules(value).maxUnavailableIn(cluster);
    }

    private static RolloutRules rules(CountOrPercent maxUnavailable) {
        return RolloutRules.of(
                CampaignSpecBuilder.from(CampaignBuilder.named("up").build().spec())
                        .maxUnavailable(maxUnavailable)
                        .build());
    }

    @Test
    void aPercentageIsOfTheClustersWorkers() {
        assertThat(maxUnavailable(new CountOrPercent.Percent(10), 20)).isEqualTo(2);
        assertThat(maxUnavailable(new CountOrPercent.Percent(10), 29)).isEqualTo(2);
        assertThat(maxUnavailable(new CountOrPercent.Count(3), 20)).isEqualTo(3);
    }

    @Test
    void oneWorkerMayAlwaysBeUnavailable() {
        assertThat(maxUnavailable(new CountOrPercent.Percent(10), 9)).isEqualTo(1);
        assertThat(maxUnavailable(new CountOrPercent.Percent(100), 0)).isEqualTo(1);
        assertThat(rules(new CountOrPercent.Percent(100)).maxUnavailableIn(null))
                .isEqualTo(1);
        assertThat(rules(new CountOrPercent.Count(3)).maxUnavailableIn(null)).isEqualTo(3);
    }
}
