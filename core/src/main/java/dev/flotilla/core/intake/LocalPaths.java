package dev.flotilla.core.intake;

import dev.flotilla.core.Draft;
import dev.flotilla.core.fleet.IntentsRollout;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Policy;
import dev.flotilla.schemas.row.SiteStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where annotations of a site may point. Its watcher is told, for it is on the annotated object that a refusal has to be seen:
 * from the first local path that somebody asks for there.
 */
final class LocalPaths {
    private LocalPaths() {}

    static List<String> of(Draft draft, SiteId site) {
        return draft.state().intentRule(site).localPaths();
    }

    /** Tells a site in which somebody asks for one. */
    static void tell(Draft draft, SiteId id) {
        Site site = draft.state().site(id);
        SiteStatus told = site == null ? null : site.status();
        tell(draft, told == null ? SiteStatus.of(id) : told, told == null, of(draft, id));
    }

    /** Tells those who were told before, if it is different under another policy. */
    static void tellAll(Draft draft, Scope scope, @Nullable Policy policy) {
        for (Site site : draft.state().sites()) {
            SiteStatus told = site.status();
            if (told != null && (scope.equals(Fleet.FLEET) || scope.equals(site.id()))) {
                Policy fleet =
                        scope.equals(Fleet.FLEET) ? policy : draft.state().policy(Fleet.FLEET);
                Policy own = scope.equals(Fleet.FLEET) ? draft.state().policy(site.id()) : policy;
                tell(draft, told, false, IntentsRollout.rule(fleet, own).localPaths());
            }
        }
    }

    private static void tell(Draft draft, SiteStatus told, boolean first, List<String> paths) {
        if (first || !told.localPaths().equals(paths)) {
            draft.write(told.withLocalPaths(paths));
        }
    }
}
