package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.SiteHead;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sites whose topics could not be read when this leader took over: none of their rows is known. What was in flight there
 * the head rows still say. How many of their machines failed nobody can tell, so that a campaign that selects them must
 * not spend from a budget, open or close a wave, or end.
 */
final class UnreadSites {
    private final Map<SiteId, Site> unreachable = new LinkedHashMap<>();

    /** Returns whether a site is back. */
    boolean put(Site site, SiteHead head) {
        if (head.unreachableSince() == null) {
            return unreachable.remove(site.id()) != null;
        }
        unreachable.put(site.id(), site);
        return false;
    }

    /** Machines in flight in all of them. */
    int inFlight() {
        return inFlight(List.of());
    }

    /** Machines in flight in those of them that are named; in all if none is. */
    int inFlight(List<SiteId> of) {
        int sum = 0;
        if (!unreachable.isEmpty()) {
            for (Site site : unreachable.values()) {
                sum += isUnread(site, of) ? site.inFlight() : 0;
            }
        }
        return sum;
    }

    /** Whether any of these sites, or any at all if none is named, is one of them. */
    boolean any(List<SiteId> of) {
        if (!unreachable.isEmpty()) {
            for (Site site : unreachable.values()) {
                if (isUnread(site, of)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isUnread(Site site, List<SiteId> of) {
        return site.isUnread() && (of.isEmpty() || of.contains(site.id()));
    }
}
