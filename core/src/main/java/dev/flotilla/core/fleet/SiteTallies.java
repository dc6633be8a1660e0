package dev.flotilla.core.fleet;

import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.Map;

/** What of a campaign is in flight, and was used of its failure budget, in each site that has anything to do with it. */
final class SiteTallies {
    private final Map<SiteId, Tally> bySite = new LinkedHashMap<>();

    private static final class Tally {
        private int used;
        private int inFlight;
    }

    void add(SiteId site, int inFlight, int used) {
        Tally tally = bySite.computeIfAbsent(site, absent -> new Tally());
        tally.inFlight += inFlight;
        tally.used += used;
    }

    int inFlight(SiteId site) {
        Tally tally = bySite.get(site);
        return tally == null ? 0 : tally.inFlight;
    }

    int used(SiteId site) {
        Tally tally = bySite.get(site);
        return tally == null ? 0 : tally.used;
    }

    void clear() {
        bySite.clear();
    }
}
