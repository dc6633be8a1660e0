package dev.flotilla.core.intake;

import dev.flotilla.core.decision.DecisionBuilder;
import dev.flotilla.core.fleet.inventory.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteStatus;
import java.util.List;

/**
 * The directories in which the annotations of a site may name local snap files. The site's watcher learns them from the
 * site status as soon as an annotation names a local path, because it reports rejections on the annotated object.
 */
final class AllowedLocalPaths {
    private AllowedLocalPaths() {}

    static List<String> allowedPaths(DecisionBuilder draft, SiteId site) {
        return draft.state().intentRule(site).localPaths();
    }

    /**
     * Writes the allowed directories into the site status if they are not there yet. After a policy change they are
     * updated as due work, one decision for each site, because a single decision for all sites could exceed the size of
     * a record.
     */
    static void notifySite(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        if (site == null || site.status() == null) {
            draft.write(SiteStatus.of(id).withLocalPaths(allowedPaths(draft, id)));
        }
    }
}
