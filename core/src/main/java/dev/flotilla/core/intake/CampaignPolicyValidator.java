package dev.flotilla.core.intake;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.rollout.LocalPathRule;
import dev.flotilla.core.fleet.rollout.SiteIntentsRollout;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import dev.flotilla.schemas.row.UpgradeTarget;
import org.jspecify.annotations.Nullable;

/** Checks campaigns against the policies: the fleet's, and for local paths those of the sites. */
public final class CampaignPolicyValidator {
    private CampaignPolicyValidator() {}

    /**
     * A rule of the policy that a campaign violates.
     *
     * @param path path of the field that violates it
     */
    public record CampaignRuleViolation(String path, String value, String message) {}

    /** The first rule that a campaign violates; null if there is none. */
    public static @Nullable CampaignRuleViolation firstViolation(FleetState state, Campaign row) {
        CampaignSpec spec = row.spec();
        CampaignRuleViolation path = localPathViolation(state, spec);
        UpgradePolicy fleet = state.policy(FleetScope.FLEET);
        if (path != null || fleet == null) {
            return path;
        }
        UpgradePolicy.CampaignRule rule = fleet.campaignRule();
        if (!spec.target().option().matches(rule.targetPatterns())) {
            return new CampaignRuleViolation(
                    "spec.target.option",
                    spec.target().option().text(),
                    "the fleet's policy allows campaigns only the targets " + String.join(", ", rule.targetPatterns())
                            + " (campaigns.targets)");
        }
        UpgradePolicy.RequiredApproval approval = rule.requireApproval();
        return approval == null || approval.isMetBy(spec.waves())
                ? null
                : new CampaignRuleViolation(
                        "spec.waves",
                        spec.waves().getFirst().name(),
                        "the fleet's policy requires an approval "
                                + (approval == UpgradePolicy.RequiredApproval.BEFORE_FIRST_WAVE
                                        ? "before the first wave: set its approval to before"
                                        : "after the first wave: set its approval to after, or the second wave's to before")
                                + " (campaigns.requireApproval)");
    }

    /**
     * The violation of a local path that a selected site, or the fleet if the campaign names no site, does not allow. A
     * policy that changes later closes the gate of each machine.
     */
    private static @Nullable CampaignRuleViolation localPathViolation(FleetState state, CampaignSpec spec) {
        UpgradeTarget target = spec.target().option();
        UpgradePolicy fleet = state.policy(FleetScope.FLEET);
        if (spec.select().sites().isEmpty()) {
            return localPathViolation(SiteIntentsRollout.rule(fleet, null), null, target);
        }
        for (SiteId site : spec.select().sites()) {
            CampaignRuleViolation violation = localPathViolation(state.intentRule(site), site, target);
            if (violation != null) {
                return violation;
            }
        }
        return null;
    }

    private static @Nullable CampaignRuleViolation localPathViolation(
            IntentRule rule, @Nullable SiteId site, UpgradeTarget target) {
        return rule.allowsPath(target)
                ? null
                : new CampaignRuleViolation(
                        "spec.target.option",
                        target.text(),
                        LocalPathRule.describe(rule, site)
                                + ". Add its directory there, or name only sites that allow it (select.sites)");
    }
}
