package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The sites that a term has suspended, and their withheld rows. They are lost with the term. */
final class SuspendedSiteRows {
    private final Set<SiteId> suspendedSites = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, RowChange>> rows = new LinkedHashMap<>();

    void suspend(SiteId site) {
        suspendedSites.add(site);
    }

    boolean isSuspended(SiteId site) {
        return suspendedSites.contains(site);
    }

    /** Withholds a row if its site is suspended. Returns whether it did. */
    boolean holdBack(RowKey key, RowChange rowChange) {
        SiteId site = key.table().isPerSite() ? RecordKeyFormat.siteOf(key) : null;
        if (site == null || !suspendedSites.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, rowChange);
        return true;
    }

    /** Resumes a site. Returns its withheld rows, which must be written now. */
    Map<RowKey, RowChange> resume(SiteId site) {
        suspendedSites.remove(site);
        Map<RowKey, RowChange> withheld = rows.remove(site);
        return withheld == null ? Map.of() : withheld;
    }

    /** All rows that are withheld now. */
    Map<RowKey, RowChange> all() {
        Map<RowKey, RowChange> all = new LinkedHashMap<>();
        rows.values().forEach(all::putAll);
        return all;
    }
}
