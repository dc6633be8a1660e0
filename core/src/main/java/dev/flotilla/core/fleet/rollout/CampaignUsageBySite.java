package dev.flotilla.core.fleet.rollout;

import dev.flotilla.schemas.id.SiteId;
import java.util.LinkedHashMap;
import java.util.Map;

/** A campaign's machines in flight and budget use in each site. */
final class CampaignUsageBySite {
    private final Map<SiteId, SiteUsage> bySite = new LinkedHashMap<>();

    private static final class SiteUsage {
        private int used;
        private int inFlight;
    }

    void add(SiteId site, int inFlight, int used) {
        SiteUsage siteUsage = bySite.computeIfAbsent(site, absent -> new SiteUsage());
        siteUsage.inFlight += inFlight;
        siteUsage.used += used;
    }

    int inFlight(SiteId site) {
        SiteUsage siteUsage = bySite.get(site);
        return siteUsage == null ? 0 : siteUsage.inFlight;
    }

    int used(SiteId site) {
        SiteUsage siteUsage = bySite.get(site);
        return siteUsage == null ? 0 : siteUsage.used;
    }

    void clear() {
        bySite.clear();
    }
}
