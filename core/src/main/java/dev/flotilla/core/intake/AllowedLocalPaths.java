package dev.flotilla.core.intake;

import dev.flotilla.core.DecisionBuilder;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteStatus;
import java.util.List;

/**
 * Where annotations of a site may point. Its watcher is told, for it is on the annotated object that a refusal has to be seen:
 * from the first local path that somebody asks for there.
 */
final class AllowedLocalPaths {
    private AllowedLocalPaths() {}

    static List<String> allowedPaths(DecisionBuilder draft, SiteId site) {
        return draft.state().intentRule(site).localPaths();
    }

    /**
     * Tells a site in which somebody asks for one, if it was never told. Other directories under another policy are told as
     * due work, a decision a site: all sites in the policy's own decision were more than one record may hold.
     */
    static void notifySite(DecisionBuilder draft, SiteId id) {
        SiteState site = draft.state().site(id);
        if (site == null || site.status() == null) {
            draft.write(SiteStatus.of(id).withLocalPaths(allowedPaths(draft, id)));
        }
    }
}
