package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The sites that a term has set aside, and the rows that wait for them. They are lost with the term. */
final class SuspendedSiteRows {
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, RowChange>> rows = new LinkedHashMap<>();

    void suspend(SiteId site) {
        aside.add(site);
    }

    boolean isSuspended(SiteId site) {
        return aside.contains(site);
    }

    /** Whether a row is kept back. */
    boolean holdBack(RowKey key, RowChange rowChange) {
        SiteId site = key.table().isPerSite() ? RecordKeyFormat.siteOf(key) : null;
        if (site == null || !aside.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, rowChange);
        return true;
    }

    /** The site is back: its rows are to be written now. */
    Map<RowKey, RowChange> resume(SiteId site) {
        aside.remove(site);
        Map<RowKey, RowChange> kept = rows.remove(site);
        return kept == null ? Map.of() : kept;
    }

    /** All that is kept back now. */
    Map<RowKey, RowChange> all() {
        Map<RowKey, RowChange> all = new LinkedHashMap<>();
        rows.values().forEach(all::putAll);
        return all;
    }
}
