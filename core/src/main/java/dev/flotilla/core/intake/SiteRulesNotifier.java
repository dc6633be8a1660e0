package dev.flotilla.core.intake;

import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteStatus;

/**
 * Tells a site's watcher what the policies allow there, because it reports refusals on the objects. A site gets the rules about
 * providers as soon as there are some, the others with the first request that they may refuse.
 */
final class SiteRulesNotifier {
    private SiteRulesNotifier() {}

    /**
     * Writes the rules into the site status if there is none yet. After a policy change they are updated as due work, one
     * decision for each site, because a single decision for all sites could exceed the size of a record.
     */
    static void notifySite(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        if (site == null || site.status() == null) {
            draft.write(SiteStatus.of(id).withRules(draft.state().annotationRules(id)));
        }
    }
}
