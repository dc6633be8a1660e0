package dev.flotilla.orchestrator.loop;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.topic.Keys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What belongs to sites whose topics cannot be used: their inputs are not decided on, and rows for them wait here. They
 * are lost with the leader; the next one knows from {@code head} what was in flight, and decides again from the rows that
 * it finds when the site is back.
 */
final class Withheld {
    private final Set<SiteId> aside = new LinkedHashSet<>();
    private final Map<SiteId, Map<RowKey, WireRecord>> rows = new LinkedHashMap<>();
    private final Map<SiteId, List<Arrival>> inputs = new LinkedHashMap<>();

    void setAside(SiteId site) {
        aside.add(site);
    }

    boolean isAside(SiteId site) {
        return aside.contains(site);
    }

    /** Whether a row is kept back. */
    boolean takes(RowKey key, WireRecord record) {
        SiteId site = Keys.siteOf(key);
        if (site == null || !aside.contains(site)) {
            return false;
        }
        rows.computeIfAbsent(site, absent -> new LinkedHashMap<>()).put(key, record);
        return true;
    }

    /** Whether an input is kept back. */
    boolean takes(Arrival arrival) {
        SiteId site = arrival.read().place().site();
        if (site == null || !aside.contains(site)) {
            return false;
        }
        inputs.computeIfAbsent(site, absent -> new ArrayList<>()).add(arrival);
        return true;
    }

    /** The site is back: its rows are to be written now. */
    List<WireRecord> rowsOf(SiteId site) {
        aside.remove(site);
        Map<RowKey, WireRecord> kept = rows.remove(site);
        return kept == null ? List.of() : List.copyOf(kept.values());
    }

    List<Arrival> inputsOf(SiteId site) {
        List<Arrival> kept = inputs.remove(site);
        return kept == null ? List.of() : kept;
    }
}
