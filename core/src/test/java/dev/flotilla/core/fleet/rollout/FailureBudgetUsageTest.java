package dev.flotilla.core.fleet.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.flotilla.core.CampaignBuilder;
import dev.flotilla.core.fleet.inventory.FleetInventory;
import dev.flotilla.core.fleet.inventory.IntentStatusTable;
import org.junit.jupiter.api.Test;

class FailureBudgetUsageTest {
    private final FleetInventory inventory = new FleetInventory(new IntentStatusTable());

    @Test
    void isTheBudgetOfTheCampaign() {
        assertThat(FailureBudgetUsage.of(rollout(CampaignBuilder.named("up").budget(5))))
                .isEqualTo(new FailureBudgetUsage(5, 0));
        assertThat(FailureBudgetUsage.of(rollout(CampaignBuilder.named("up")))).isNull();
    }

    /** More may be used than a budget allows, if it was lowered. */
    @Test
    void nothingRemainsOfABudgetThatIsOverspent() {
        assertThat(new FailureBudgetUsage(5, 2).remaining()).isEqualTo(3);
        assertThat(new FailureBudgetUsage(5, 6).remaining()).isZero();
    }

    private CampaignRollout rollout(CampaignBuilder campaign) {
        return new CampaignRollout(inventory.machines(), campaign.running(1));
    }
}
