package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.Limit;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.Selection;
import dev.flotilla.schemas.row.Selector;
import dev.flotilla.schemas.row.UpgradeOption;
import dev.flotilla.schemas.row.Wave;
import java.util.List;

/** What the operators of these tests write. */
final class Wishes {
    static final CampaignName SPRING = new CampaignName("spring");

    private Wishes() {}

    static Policy policy(int cap) {
        return new Policy(Fleet.FLEET, new Limit.Count(cap), null, false, null, null, null, null);
    }

    /** A campaign over everything. */
    static Campaign campaign() {
        return campaign(List.of(new Wave("all", List.of(), Selector.ALL, false, 100)), RetryRule.DEFAULT);
    }

    static Campaign campaign(List<Wave> waves, RetryRule retries) {
        return new Campaign(
                SPRING,
                Labels.NONE,
                new CampaignSpec(
                        new UpgradeOption.Channel("1.33-classic/stable"),
                        null,
                        Selection.EVERYTHING,
                        waves,
                        null,
                        null,
                        null,
                        null,
                        null,
                        50,
                        new Limit.Percent(100),
                        true,
                        retries));
    }
}
