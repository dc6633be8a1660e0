package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Withheld rows of suspended sites, the newest of each key. They are lost when the leader ends. The next leader knows
 * from {@code head} what was in flight, and decides again from the rows that it finds when the site is resumed. Inputs
 * of suspended sites wait in Kafka.
 */
final class SuspendedSiteRows {
    private final Set<SiteId> suspendedSites = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, WireRecord>> rows = new LinkedHashMap<>();

    void suspendSite(SiteId site) {
        suspendedSites.add(site);
    }

    /** Withholds a row if its site is suspended; returns whether it did. */
    boolean withholdIfSuspended(RowKey key, WireRecord record) {
        SiteId site = RecordKeyFormat.siteOf(key);
        if (site == null || !suspendedSites.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, record);
        return true;
    }

    /** Resumes a site and returns its withheld rows, to be written now. */
    List<WireRecord> resumeSite(SiteId site) {
        suspendedSites.remove(site);
        Map<RowKey, WireRecord> withheld = rows.remove(site);
        return withheld == null ? List.of() : List.copyOf(withheld.values());
    }
}
