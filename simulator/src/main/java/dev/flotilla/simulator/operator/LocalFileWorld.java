package dev.flotilla.simulator.operator;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpecBuilder;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradeTarget;
import dev.flotilla.simulator.world.SeededRandom;
import java.util.List;

/** Some worlds have no network: the policy allows files, and the first campaign installs one. For a while the policy forbids it. */
final class LocalFileWorld {
    private static final int WORLDS = 6;
    private static final long MINUTE = 60_000;

    private final boolean isDrawn;
    private final long from;
    private final long until;

    LocalFileWorld(SeededRandom chance) {
        this.isDrawn = chance.percent(WORLDS);
        this.from = chance.between(2 * MINUTE, 30 * MINUTE);
        this.until = from + chance.between(MINUTE, 30 * MINUTE);
    }

    boolean isDrawn() {
        return isDrawn;
    }

    /** When the policy begins to forbid files. */
    long forbiddenFrom() {
        return from;
    }

    long forbiddenUntil() {
        return until;
    }

    /** The policy as it is first. */
    UpgradePolicy firstPolicy(UpgradePolicy policy) {
        return isDrawn ? allowing(policy, List.of(RandomPolicies.SNAPS)) : policy;
    }

    static UpgradePolicy allowing(UpgradePolicy policy, List<String> directories) {
        UpgradePolicy.IntentRule rule =
                policy.intentRule() == null ? UpgradePolicy.IntentRule.DEFAULT : policy.intentRule();
        return policy.withCalendar(policy.calendar(), rule.withLocalPaths(directories));
    }

    /** The first campaign. */
    Campaign firstCampaign(Campaign campaign) {
        return isDrawn
                ? new Campaign(
                        campaign.name(),
                        campaign.labels(),
                        CampaignSpecBuilder.from(campaign.spec())
                                .target(new UpgradeTarget.LocalPath(RandomPolicies.SNAPS + "/k8s.snap"))
                                .expectedVersion(null)
                                .build())
                : campaign;
    }
}
