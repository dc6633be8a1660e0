package dev.flotilla.core.leader;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Withheld rows of suspended sites, the newest of each key. They are lost when the leader ends. The next leader knows
 * from {@code head} what was in flight, and decides again from the rows that it finds when the site is resumed. Inputs
 * of suspended sites wait in Kafka.
 *
 * @param <R> the form in which a shell sends a row
 */
public final class SuspendedSiteRows<R> {
    private record WithheldRow<R>(RowChange rowChange, R record) {}

    private final Set<SiteId> suspendedSites = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, WithheldRow<R>>> rows = new LinkedHashMap<>();

    public void suspendSite(SiteId site) {
        suspendedSites.add(site);
    }

    /** Withholds a row if its site is suspended; returns whether it did. */
    public boolean withholdIfSuspended(RowChange rowChange, R record) {
        SiteId site = RecordKeyFormat.siteOf(rowChange.rowKey());
        if (site == null || !suspendedSites.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>())
                .put(rowChange.rowKey(), new WithheldRow<>(rowChange, record));
        return true;
    }

    /**
     * Puts a site's withheld rows into the state again, after its tables were read into it: they are newer than what
     * the tables hold.
     */
    public void reapplyRows(SiteId site, FleetState state) {
        withheld(site).values().forEach(row -> state.put(row.rowChange()));
    }

    /** Resumes a site and returns its withheld rows, to be written now. */
    public List<R> resumeSite(SiteId site) {
        suspendedSites.remove(site);
        List<R> records =
                withheld(site).values().stream().map(WithheldRow::record).toList();
        rows.remove(site);
        return records;
    }

    /** All rows that are withheld now. */
    public Map<RowKey, RowChange> all() {
        Map<RowKey, RowChange> all = new LinkedHashMap<>();
        rows.values().forEach(ofSite -> ofSite.forEach((key, row) -> all.put(key, row.rowChange())));
        return all;
    }

    private Map<RowKey, WithheldRow<R>> withheld(SiteId site) {
        return rows.getOrDefault(site, Collections.emptyMap());
    }
}
