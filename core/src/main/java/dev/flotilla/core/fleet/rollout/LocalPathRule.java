package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.UpgradePolicy;
import dev.flotilla.schemas.row.UpgradePolicy.IntentRule;
import org.jspecify.annotations.Nullable;

/** The directories below which the local paths of campaigns may point: the same as for the annotations of a site. */
public final class LocalPathRule {
    private LocalPathRule() {}

    /** The rule of a site; without a site, the fleet's. */
    public static IntentRule ruleOf(@Nullable UpgradePolicy fleet, @Nullable UpgradePolicy site) {
        return SiteIntentsRollout.rule(fleet, site);
    }

    /** Which directories a rule allows, as a sentence without its end. */
    public static String describe(IntentRule rule, @Nullable SiteId site) {
        return "the policy of " + (site == null ? "the fleet" : "site " + site)
                + " allows localPath= only below the directories of intents.localPaths: "
                + (rule.localPaths().isEmpty() ? "none" : String.join(", ", rule.localPaths()));
    }
}
