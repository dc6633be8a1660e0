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
 * The rows for sites whose topics cannot be used, the newest of each key. They are lost with the leader; the next one knows
 * from {@code head} what was in flight, and decides again from the rows that it finds when the site is back. Inputs of such
 * sites wait in Kafka.
 */
final class SuspendedSiteRows {
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, WireRecord>> rows = new LinkedHashMap<>();

    void suspendSite(SiteId site) {
        aside.add(site);
    }

    /** Whether a row is kept back. */
    boolean withholdIfSuspended(RowKey key, WireRecord record) {
        SiteId site = RecordKeyFormat.siteOf(key);
        if (site == null || !aside.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, record);
        return true;
    }

    /** The site is back: its rows are to be written now. */
    List<WireRecord> rowsOf(SiteId site) {
        aside.remove(site);
        Map<RowKey, WireRecord> kept = rows.remove(site);
        return kept == null ? List.of() : List.copyOf(kept.values());
    }
}
