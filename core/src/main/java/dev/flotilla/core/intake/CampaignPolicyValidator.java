package dev.flotilla.core.intake;

import dev.flotilla.schemas.row.Campaign;
import dev.flotilla.schemas.row.CampaignSpec;
import dev.flotilla.schemas.row.UpgradePolicy;
import org.jspecify.annotations.Nullable;

/** Checks campaigns against the fleet's policy. */
public final class CampaignPolicyValidator {
    private CampaignPolicyValidator() {}

    /**
     * A rule of the policy that a campaign violates.
     *
     * @param path path of the field that violates it
     */
    public record CampaignRuleViolation(String path, String value, String message) {}

    /** The first rule that a campaign violates; null if there is none. */
    public static @Nullable CampaignRuleViolation firstViolation(@Nullable UpgradePolicy fleet, Campaign row) {
        if (fleet == null) {
            return null;
        }
        CampaignSpec spec = row.spec();
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
}
