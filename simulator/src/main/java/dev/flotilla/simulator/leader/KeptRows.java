package dev.flotilla.simulator.leader;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.topic.Keys;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** The sites that a term has set aside, and the rows that wait for them. They are lost with the term. */
final class KeptRows {
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, Fact>> rows = new LinkedHashMap<>();

    void setAside(SiteId site) {
        aside.add(site);
    }

    boolean isAside(SiteId site) {
        return aside.contains(site);
    }

    /** Whether a row is kept back. */
    boolean takes(RowKey key, Fact fact) {
        SiteId site = key.table().ofSite() ? Keys.siteOf(key) : null;
        if (site == null || !aside.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, fact);
        return true;
    }

    /** The site is back: its rows are to be written now. */
    Map<RowKey, Fact> release(SiteId site) {
        aside.remove(site);
        Map<RowKey, Fact> kept = rows.remove(site);
        return kept == null ? Map.of() : kept;
    }

    /** All that is kept back now. */
    Map<RowKey, Fact> all() {
        Map<RowKey, Fact> all = new LinkedHashMap<>();
        rows.values().forEach(all::putAll);
        return all;
    }
}
