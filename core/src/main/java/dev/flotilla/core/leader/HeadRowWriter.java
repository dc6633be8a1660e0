package dev.flotilla.core.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.fleet.inventory.SiteState;
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
 * Writes the head rows: how far the inputs are decided on, the journal hash, and for each site the machines in flight
 * and the failure budget used. A later leader that cannot read a site relies on the latter.
 */
public final class HeadRowWriter {
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<TablePartition, Long> nextOffsets = new LinkedHashMap<>();
    /** The topics read now whose ids are not in the head rows yet. */
    private final Map<PolicyScope, List<TopicId>> topics = new LinkedHashMap<>();

    private final Set<SiteId> changedSites = new LinkedHashSet<>();
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

    /** Adds the size of a journal record to the current chapter. */
    public void addJournalBytes(long bytes) {
        journalBytes += bytes;
    }

    /** Records where a chapter starts in the journal. */
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

    /** The head row of one site; null if it has none. */
    public @Nullable SiteHead siteHead(SiteId site) {
        return siteHeads.get(site);
    }

    /** Inputs read since the head rows were last written. */
    public int unrecordedInputs() {
        return unrecordedInputs;
    }

    /** How many head rows the next write contains. */
    public int headRowsDue() {
        return 1 + changedSites.size();
    }

    /** Records the topic ids of the fleet or of a site that are read from now on. */
    public void setTopicIds(PolicyScope scope, List<TopicId> ids) {
        topics.put(scope, ids);
        if (scope instanceof SiteId site) {
            SiteHead known = siteHeads.get(site);
            if (known == null || !known.topicIds().equals(ids)) {
                changedSites.add(site);
            }
        }
    }

    /** The next offset of a partition to read, as far as it is decided on; zero if nothing is. */
    public long nextOffset(TablePartition tablePartition) {
        Long known = nextOffsets.get(tablePartition);
        return known == null ? ConsistentCut.decidedUpTo(head, siteHeads, tablePartition) : known;
    }

    /** Records where the reading of a partition starts. */
    public void setStartOffset(TablePartition tablePartition, long next) {
        nextOffsets.put(tablePartition, next);
    }

    /**
     * Counts records that were read from a partition up to an offset. Records that are read again do not move the
     * offset.
     */
    public void recordRead(TablePartition tablePartition, long next, int records) {
        unrecordedInputs += records;
        if (next > nextOffsets.getOrDefault(tablePartition, 0L)) {
            nextOffsets.put(tablePartition, next);
            if (tablePartition.site() != null) {
                changedSites.add(tablePartition.site());
            }
        }
    }

    /** Records a decision that is added to the batch. */
    public void recordDecision(Decision decision) {
        for (RowChange rowChange : decision.changes()) {
            if (rowChange instanceof FleetHead next) {
                head = next;
            } else if (rowChange instanceof SiteHead next) {
                recordDecision(next);
            } else if (rowChange instanceof MachineStatus status) {
                changedSites.add(status.key().site());
            }
        }
    }

    private void recordDecision(SiteHead next) {
        SiteHead before = siteHeads.put(next.site(), next);
        changedSites.add(next.site());
        if (before != null && !Objects.equals(before.adoptOrderId(), next.adoptOrderId())) {
            nextOffsets.keySet().removeIf(tablePartition -> next.site().equals(tablePartition.site()));
            topics.remove(next.site());
        }
    }

    /** Puts the changed head rows into the batch and into its state, whose derived state must be up to date. */
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
                chapterWithNewBytes(),
                topics.getOrDefault(FleetScope.FLEET, head.topicIds()));
        batch.putHead(head);
        for (SiteId site : changedSites) {
            SiteHead before = siteHeads.getOrDefault(site, SiteHead.of(site));
            SiteHead next = before.withReadPosition(
                    inFlight(batch.state(), site),
                    batch.state().budgetsUsed(site),
                    offsets(site, before.offsets()),
                    topics.getOrDefault(site, before.topicIds()));
            siteHeads.put(site, next);
            batch.putHead(next);
        }
        changedSites.clear();
    }

    private @Nullable JournalChapter chapterWithNewBytes() {
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

    /** The next offsets; partitions that this term has neither read nor written keep the offsets of the earlier one. */
    private List<PartitionOffset> offsets(@Nullable SiteId site, List<PartitionOffset> before) {
        Map<TablePartition, Long> all = new LinkedHashMap<>();
        for (PartitionOffset offset : before) {
            all.put(new TablePartition(offset.table(), site, offset.partition()), offset.nextOffset());
        }
        for (Map.Entry<TablePartition, Long> entry : nextOffsets.entrySet()) {
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
