package dev.flotilla.core.fleet;

import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.core.fleet.rollout.CampaignRollout;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FailureBudgetUse;
import dev.flotilla.schemas.row.SiteHead;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calculates how much of each campaign's failure budget one site uses, for the head row of the site. */
final class SiteBudgetUseCalculator {
    private SiteBudgetUseCalculator() {}

    /**
     * The campaigns that use their budget in a site. An unrestored site keeps what its head row says.
     *
     * @param site null if the site is unknown
     * @return null if the use is unknown, or if more campaigns use their budget there than a head row can contain
     */
    static @Nullable List<FailureBudgetUse> calculate(
            SiteId id, @Nullable SiteState site, List<CampaignRollout> campaigns) {
        SiteHead head = site == null ? null : site.head();
        if (site != null && head != null && site.isUnrestored()) {
            return head.budgetUses();
        }
        List<FailureBudgetUse> budgets = new ArrayList<>();
        for (CampaignRollout campaign : campaigns) {
            int used = campaign.budgetUsed(id);
            if (used > 0) {
                budgets.add(
                        new FailureBudgetUse(campaign.name(), campaign.status().uid(), used));
            }
        }
        return budgets.size() > SiteHead.MAX_BUDGET_USES ? null : budgets;
    }
}
