package dev.flotilla.simulator.leader;

import dev.flotilla.core.Decision;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.simulator.log.LogReader;
import dev.flotilla.simulator.log.Place;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the shell itself says in the head rows: how far the inputs are decided on, and the journal's chain. */
final class Stamps {
    private final LogReader reader;
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<Place, Long> furthest = new LinkedHashMap<>();
    private final Set<SiteId> movedSites = new LinkedHashSet<>();
    private FleetHead head;
    private String chain;
    private int unstamped;

    Stamps(Follower ready, LogReader reader) {
        this.reader = reader;
        this.head = ready.head();
        this.chain = ready.head().chain();
        this.siteHeads = new LinkedHashMap<>(ready.siteHeads());
        for (Place place : reader.places()) {
            furthest.put(place, reader.position(place));
        }
    }

    String chain() {
        return chain;
    }

    void chained(String next) {
        chain = next;
    }

    int unstamped() {
        return unstamped;
    }

    void read(List<LogReader.Fetched> fetched) {
        unstamped += fetched.size();
        if (fetched.isEmpty()) {
            return;
        }
        for (Place place : reader.places()) {
            long position = reader.position(place);
            if (position > furthest.getOrDefault(place, 0L)) {
                furthest.put(place, position);
                if (place.site() != null) {
                    movedSites.add(place.site());
                }
            }
        }
    }

    void wrote(Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof FleetHead next) {
                head = next;
            } else if (fact instanceof SiteHead next) {
                siteHeads.put(next.site(), next);
                movedSites.add(next.site());
            }
        }
    }

    void stamp(Batch batch) {
        unstamped = 0;
        head = new FleetHead(
                head.term(), head.seq(), head.decided(), chain, head.featureLevel(), head.clockAgrees(), offsets(null));
        batch.stamp(head);
        for (SiteId site : movedSites) {
            SiteHead before = siteHeads.get(site);
            SiteHead next = before == null
                    ? new SiteHead(site, null, null, 0, offsets(site))
                    : new SiteHead(
                            site, before.silentSince(), before.unreachableSince(), before.inFlight(), offsets(site));
            siteHeads.put(site, next);
            batch.stamp(next);
        }
        movedSites.clear();
    }

    private List<Offset> offsets(@Nullable SiteId site) {
        List<Offset> offsets = new ArrayList<>();
        for (Map.Entry<Place, Long> entry : furthest.entrySet()) {
            Place place = entry.getKey();
            if (Objects.equals(place.site(), site)) {
                offsets.add(new Offset(place.table(), place.partition(), entry.getValue()));
            }
        }
        return offsets;
    }
}
