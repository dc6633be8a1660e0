package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.CountOrPercent;
import dev.flotilla.schemas.row.LabelSelector;
import dev.flotilla.schemas.row.Labels;
import dev.flotilla.schemas.row.MachineSelection;
import dev.flotilla.schemas.row.RetryRule;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.schemas.row.Wave;
import java.util.List;

/** Sample campaigns and policies of operators. */
public final class SampleCampaigns {
    public static final CampaignName SPRING = new CampaignName("spring");

    private SampleCampaigns() {}

    public static UpgradePolicy policy(int cap) {
        return new UpgradePolicy(FleetScope.FLEET, new CountOrPercent.Count(cap), null, false, null, null, null, null);
    }

    /** A campaign that selects all machines. */
    public static Campaign campaign() {
        return campaign(List.of(new Wave("all", List.of(), LabelSelector.ALL, false, 100)), RetryRule.DEFAULT);
    }

    public static Campaign campaign(List<Wave> waves, RetryRule retries) {
        return new Campaign(
                SPRING,
                Labels.NONE,
                new CampaignSpecBuilder(new UpgradeTarget.Channel("1.33-classic/stable"), MachineSelection.EVERYTHING)
                        .waves(waves)
                        .maxUnavailable(new CountOrPercent.Percent(100))
                        .retries(retries)
                        .build());
    }
}
