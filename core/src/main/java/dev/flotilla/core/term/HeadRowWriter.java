package dev.flotilla.core.term;

import dev.flotilla.core.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.SiteState;
import dev.flotilla.schemas.id.FleetScope;
import dev.flotilla.schemas.id.PolicyScope;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.MachineStatus;
import dev.flotilla.schemas.row.PartitionOffset;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
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
public final class HeadRowWriter {
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<TablePartition, Long> furthest = new LinkedHashMap<>();
    /** The topics that are read now, of those whose head rows do not say so yet. */
    private final Map<PolicyScope, List<TopicId>> topics = new LinkedHashMap<>();

    private final Set<SiteId> movedSites = new LinkedHashSet<>();
    private FleetHead head;
    private String journalHash;
    private int unrecordedInputs;
    private long journalBytes;
    private long chapterSeq;
    private long chapterOffset;

    public HeadRowWriter(FleetHead head, Map<SiteId, SiteHead> siteHeads) {
        this.head = head;
        this.journalHash = head.journalHash();
        this.siteHeads = new LinkedHashMap<>(siteHeads);
    }

    public String journalHash() {
        return journalHash;
    }

    public void recordJournalHash(String next) {
        journalHash = next;
    }

    /** A record of the journal that counts for the length of its chapter. */
    public void addJournalBytes(long bytes) {
        journalBytes += bytes;
    }

    /** Where the record that began a chapter stands. */
    public void recordChapterStart(long seq, long offset) {
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
    public int unrecordedInputs() {
        return unrecordedInputs;
    }

    /** How many head rows the next stamp will write. */
    public int headRowsDue() {
        return 1 + movedSites.size();
    }

    /** The fleet's topics, or a site's, that are read from now on. */
    public void setTopicIds(PolicyScope of, List<TopicId> ids) {
        topics.put(of, ids);
        if (of instanceof SiteId site) {
            SiteHead known = siteHeads.get(site);
            if (known == null || !known.topicIds().equals(ids)) {
                movedSites.add(site);
            }
        }
    }

    /** The next offset to be read of an input, as far as it is decided on; zero where nothing is. */
    public long nextOffset(TablePartition tablePartition) {
        Long known = furthest.get(tablePartition);
        return known == null ? ConsistentCut.decidedUpTo(head, siteHeads, tablePartition) : known;
    }

    /** Where the reading of an input begins. */
    public void setStartOffset(TablePartition tablePartition, long next) {
        furthest.put(tablePartition, next);
    }

    /** So many records of an input were read, up to an offset. A reader that went back says nothing new. */
    public void recordRead(TablePartition tablePartition, long next, int records) {
        unrecordedInputs += records;
        if (next > furthest.getOrDefault(tablePartition, 0L)) {
            furthest.put(tablePartition, next);
            if (tablePartition.site() != null) {
                movedSites.add(tablePartition.site());
            }
        }
    }

    /** A decision that goes into the batch. */
    public void recordDecision(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof FleetHead next) {
                head = next;
            } else if (rowChange instanceof SiteHead next) {
                recordDecision(next);
            } else if (rowChange instanceof MachineStatus status) {
                movedSites.add(status.key().site());
            }
        }
    }

    private void recordDecision(SiteHead next) {
        SiteHead before = siteHeads.put(next.site(), next);
        movedSites.add(next.site());
        if (before != null && !Objects.equals(before.adoptOrderId(), next.adoptOrderId())) {
            furthest.keySet().removeIf(tablePartition -> next.site().equals(tablePartition.site()));
            topics.remove(next.site());
        }
    }

    /** Puts the head rows of what has moved into the batch and into its state, which has been settled. */
    public void writeHeadRows(DecisionBatch batch) {
        unrecordedInputs = 0;
        head = new FleetHead(
                head.term(),
                head.seq(),
                head.decidedAt(),
                journalHash,
                head.featureLevel(),
                head.clockInSync(),
                offsets(null, head.offsets()),
                chapter(),
                topics.getOrDefault(FleetScope.FLEET, head.topicIds()));
        batch.putHead(head);
        for (SiteId site : movedSites) {
            SiteHead before = siteHeads.getOrDefault(site, SiteHead.of(site));
            SiteHead next = before.withReadPosition(
                    inFlight(batch.state(), site),
                    batch.state().budgetsUsed(site),
                    offsets(site, before.offsets()),
                    topics.getOrDefault(site, before.topicIds()));
            siteHeads.put(site, next);
            batch.putHead(next);
        }
        movedSites.clear();
    }

    private @Nullable JournalChapter chapter() {
        long bytes = journalBytes;
        journalBytes = 0;
        JournalChapter chapter = head.chapter();
        if (chapter == null) {
            return null;
        }
        JournalChapter grown = chapter.withAddedBytes(bytes);
        return chapterSeq == chapter.seq() ? grown.withOffset(chapterOffset) : grown;
    }

    private static int inFlight(FleetState state, SiteId id) {
        SiteState site = state.site(id);
        return site == null ? 0 : site.inFlight();
    }

    /** What this term has not read or written stands where an earlier one has left it. */
    private List<PartitionOffset> offsets(@Nullable SiteId site, List<PartitionOffset> before) {
        Map<TablePartition, Long> all = new LinkedHashMap<>();
        for (PartitionOffset offset : before) {
            all.put(new TablePartition(offset.table(), site, offset.partition()), offset.nextOffset());
        }
        for (Map.Entry<TablePartition, Long> entry : furthest.entrySet()) {
            if (Objects.equals(entry.getKey().site(), site)) {
                all.put(entry.getKey(), entry.getValue());
            }
        }
        List<PartitionOffset> offsets = new ArrayList<>();
        all.forEach((tablePartition, next) ->
                offsets.add(new PartitionOffset(tablePartition.table(), tablePartition.partition(), next)));
        offsets.sort(Comparator.comparing(PartitionOffset::table).thenComparingInt(PartitionOffset::partition));
        return offsets;
    }
}
