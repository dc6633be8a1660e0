package dev.flotilla.core.term;

import dev.flotilla.core.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.Site;
import dev.flotilla.schemas.id.Fleet;
import dev.flotilla.schemas.id.Scope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.Chapter;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.Offset;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the shell itself says in the head rows: how far the inputs are decided on, the journal's chain, and how
 * many machines of a site are in flight and what was used there of failure budgets, for a leader that one day cannot read
 * that site.
 */
public final class Stamps {
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<Place, Long> furthest = new LinkedHashMap<>();
    /** The topics that are read now, of those whose head rows do not say so yet. */
    private final Map<Scope, List<TopicId>> topics = new LinkedHashMap<>();

    private final Set<SiteId> movedSites = new LinkedHashSet<>();
    private FleetHead head;
    private String chain;
    private int unstamped;
    private long journalBytes;
    private long chapterSeq;
    private long chapterOffset;

    public Stamps(FleetHead head, Map<SiteId, SiteHead> siteHeads) {
        this.head = head;
        this.chain = head.chain();
        this.siteHeads = new LinkedHashMap<>(siteHeads);
    }

    public String chain() {
        return chain;
    }

    public void chained(String next) {
        chain = next;
    }

    /** A record of the journal that counts for the length of its chapter. */
    public void journaled(long bytes) {
        journalBytes += bytes;
    }

    /** Where the record that began a chapter stands. */
    public void chapterBegan(long seq, long offset) {
        chapterSeq = seq;
        chapterOffset = offset;
    }

    public FleetHead head() {
        return head;
    }

    public Map<SiteId, SiteHead> siteHeads() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(siteHeads));
    }

    /** Inputs read since the last stamp. */
    public int unstamped() {
        return unstamped;
    }

    /** How many head rows the next stamp will write. */
    public int due() {
        return 1 + movedSites.size();
    }

    /** The fleet's topics, or a site's, that are read from now on. */
    public void reads(Scope of, List<TopicId> ids) {
        topics.put(of, ids);
        if (of instanceof SiteId site) {
            SiteHead known = siteHeads.get(site);
            if (known == null || !known.topics().equals(ids)) {
                movedSites.add(site);
            }
        }
    }

    /** The next offset to be read of an input, as far as it is decided on; zero where nothing is. */
    public long next(Place place) {
        Long known = furthest.get(place);
        return known == null ? Cut.decidedUpTo(head, siteHeads, place) : known;
    }

    /** Where the reading of an input begins. */
    public void begin(Place place, long next) {
        furthest.put(place, next);
    }

    /** So many records of an input were read, up to an offset. A reader that went back says nothing new. */
    public void read(Place place, long next, int records) {
        unstamped += records;
        if (next > furthest.getOrDefault(place, 0L)) {
            furthest.put(place, next);
            if (place.site() != null) {
                movedSites.add(place.site());
            }
        }
    }

    /** A decision that goes into the batch. */
    public void wrote(Decision decision) {
        for (Fact fact : decision.facts()) {
            if (fact instanceof FleetHead next) {
                head = next;
            } else if (fact instanceof SiteHead next) {
                wrote(next);
            } else if (fact instanceof MachineStatus status) {
                movedSites.add(status.key().site());
            }
        }
    }

    private void wrote(SiteHead next) {
        SiteHead before = siteHeads.put(next.site(), next);
        movedSites.add(next.site());
        if (before != null && !Objects.equals(before.adoptOrder(), next.adoptOrder())) {
            furthest.keySet().removeIf(place -> next.site().equals(place.site()));
            topics.remove(next.site());
        }
    }

    /** Puts the head rows of what has moved into the batch and into its state, which has been settled. */
    public void stamp(Batch batch) {
        unstamped = 0;
        head = new FleetHead(
                head.term(),
                head.seq(),
                head.decided(),
                chain,
                head.featureLevel(),
                head.clockAgrees(),
                offsets(null, head.offsets()),
                chapter(),
                topics.getOrDefault(Fleet.FLEET, head.topics()));
        batch.stamp(head);
        for (SiteId site : movedSites) {
            SiteHead before = siteHeads.getOrDefault(site, SiteHead.of(site));
            SiteHead next = before.stamped(
                    inFlight(batch.state(), site),
                    batch.state().budgetsUsed(site),
                    offsets(site, before.offsets()),
                    topics.getOrDefault(site, before.topics()));
            siteHeads.put(site, next);
            batch.stamp(next);
        }
        movedSites.clear();
    }

    private @Nullable Chapter chapter() {
        long bytes = journalBytes;
        journalBytes = 0;
        Chapter chapter = head.chapter();
        if (chapter == null) {
            return null;
        }
        Chapter grown = chapter.grown(bytes);
        return chapterSeq == chapter.seq() ? grown.standsAt(chapterOffset) : grown;
    }

    private static int inFlight(FleetState state, SiteId id) {
        Site site = state.site(id);
        return site == null ? 0 : site.inFlight();
    }

    /** What this term has not read or written stands where an earlier one has left it. */
    private List<Offset> offsets(@Nullable SiteId site, List<Offset> before) {
        Map<Place, Long> all = new LinkedHashMap<>();
        for (Offset offset : before) {
            all.put(new Place(offset.table(), site, offset.partition()), offset.next());
        }
        for (Map.Entry<Place, Long> entry : furthest.entrySet()) {
            if (Objects.equals(entry.getKey().site(), site)) {
                all.put(entry.getKey(), entry.getValue());
            }
        }
        List<Offset> offsets = new ArrayList<>();
        all.forEach((place, next) -> offsets.add(new Offset(place.table(), place.partition(), next)));
        offsets.sort(Comparator.comparing(Offset::table).thenComparingInt(Offset::partition));
        return offsets;
    }
}
