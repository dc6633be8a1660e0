package dev.flotilla.orchestrator.loop;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.term.ConsistentCut;
import dev.flotilla.core.term.OrchestratorPartitions;
import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.runtime.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Tables read into a state by put. Of the orchestrator's own tables it takes everything committed; of the inputs what has
 * been decided on, which the head rows say. The rest waits, for whoever leads next.
 */
final class TableFollower {
    private final FleetState state;
    private final Map<SiteId, SiteHead> siteHeads;
    private final Map<TablePartition, Deque<DecodedRecord>> countWaitingInputs = new LinkedHashMap<>();
    private final Map<SiteId, Long> lastHeartbeats = new LinkedHashMap<>();
    private final Map<String, ConsumedRecord> unreadable = new LinkedHashMap<>();
    private final List<TopicId> adoptedTopics = new ArrayList<>();
    private final Set<SiteId> followed = new HashSet<>();
    private FleetHead head = FleetHead.NONE;
    private long countRecords;
    private final NewestDecisionTracker newestDecision = new NewestDecisionTracker();
    private final DecodeAheadThread ahead;

    TableFollower(DecodeAheadThread ahead) {
        this(ahead, new FleetState(), Map.of());
    }

    private TableFollower(DecodeAheadThread ahead, FleetState state, Map<SiteId, SiteHead> siteHeads) {
        this.ahead = ahead;
        this.state = state;
        this.siteHeads = new LinkedHashMap<>(siteHeads);
    }

    /** A reader of more tables, into the state of a term that has begun. */
    TableFollower forTerm(LeaderTerm term) {
        return new TableFollower(ahead, term.state(), term.siteHeads());
    }

    FleetState state() {
        return state;
    }

    FleetHead head() {
        return head;
    }

    Map<SiteId, SiteHead> siteHeads() {
        return siteHeads;
    }

    /** When the broker took each site's newest heartbeat that was read, in milliseconds. */
    Map<SiteId, Long> lastHeartbeats() {
        return lastHeartbeats;
    }

    /** These were read to their ends: what is not there of their sites does not exist. */
    void markRead(Collection<TablePartition> places) {
        for (TablePartition tablePartition : places) {
            if (tablePartition.site() != null) {
                state.markRestored(tablePartition.site());
            }
        }
    }

    /** These topics of the fleet are read from their beginnings, though others of their names were read before. */
    void adoptTopics(Collection<TopicId> topics) {
        adoptedTopics.addAll(topics);
    }

    /** Those that are, as long as no head row speaks of them. */
    List<TopicId> adoptedTopics() {
        return adoptedTopics;
    }

    /** Records read so far. */
    long countRecords() {
        return countRecords;
    }

    /** The newest decision that wrote any row of our own that was read. */
    NewestDecisionTracker newestDecision() {
        return newestDecision;
    }

    /** How many inputs of a place wait to be decided on. */
    int countWaitingInputs(TablePartition tablePartition) {
        Deque<DecodedRecord> queue = countWaitingInputs.get(tablePartition);
        return queue == null ? 0 : queue.size();
    }

    Set<TablePartition> waitingPartitions() {
        return countWaitingInputs.keySet();
    }

    /** Everything that waits, in order within each place. */
    List<DecodedRecord> removeWaitingInputs() {
        List<DecodedRecord> all = new ArrayList<>();
        countWaitingInputs.values().forEach(all::addAll);
        countWaitingInputs.clear();
        return all;
    }

    /** What was read, on its way to whoever takes it. */
    List<DecodedRecord> decodeRecords(List<ConsumedRecord> reads) {
        return ahead.decodeAhead(reads);
    }

    void applyRecords(List<DecodedRecord> arrivals) {
        countRecords += arrivals.size();
        boolean moved = false;
        for (DecodedRecord decodedRecord : arrivals) {
            TablePartition tablePartition = decodedRecord.consumedRecord().partition();
            if (tablePartition.site() != null) {
                followed.add(tablePartition.site());
            }
            if (OrchestratorPartitions.isInput(tablePartition.table())) {
                countWaitingInputs
                        .computeIfAbsent(tablePartition, absent -> new ArrayDeque<>())
                        .add(decodedRecord);
                moved = true;
            } else {
                moved |= output(decodedRecord);
            }
        }
        if (moved) {
            countWaitingInputs.forEach(this::takeDecided);
            countWaitingInputs.values().removeIf(Deque::isEmpty);
        }
    }

    /** Takes one of our own rows; returns whether it says that more inputs were decided on. */
    private boolean output(DecodedRecord decodedRecord) {
        ConsumedRecord consumedRecord = decodedRecord.consumedRecord();
        RowChange rowChange = decodedRecord.rowChange();
        if (rowChange == null) {
            unreadable.put(UnreadableOwnRows.nameOf(consumedRecord), consumedRecord);
            return false;
        }
        if (!unreadable.isEmpty()) {
            unreadable.remove(UnreadableOwnRows.nameOf(consumedRecord));
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        if (seq != null) {
            newestDecision.observeSeq(seq);
        }
        state.put(rowChange);
        if (rowChange instanceof FleetHead next) {
            newestDecision.limitTo(next.seq());
            head = next;
            adoptedTopics.removeIf(topic -> next.topicIds().contains(topic));
            return true;
        }
        if (rowChange instanceof SiteHead next) {
            take(next);
            return true;
        }
        if (rowChange instanceof Tombstone tombstone
                && tombstone.rowKey().table() == Table.HEAD
                && tombstone.rowKey().key() instanceof SiteId site) {
            // By hand, after records were lost: the site is read as a new one.
            siteHeads.remove(site);
        }
        return false;
    }

    /** Whoever has followed a site's topics without noticing that others were adopted in their place reads on in the middle of those. */
    private void take(SiteHead next) {
        SiteHead before = siteHeads.put(next.site(), next);
        if (before != null
                && followed.contains(next.site())
                && !Objects.equals(before.adoptOrderId(), next.adoptOrderId())) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.WENT_BACK,
                    "the topics of site " + next.site() + " were adopted: reading them anew",
                    null);
        }
    }

    /**
     * Nobody goes on from rows of our own that cannot be read, unless later ones have taken their place. Those of the fleet
     * forbid to lead; those of a site set that site aside, and everything is read anew without it.
     */
    void requireReadable(UnreadableOwnRows known) {
        if (unreadable.isEmpty()) {
            return;
        }
        SiteId aside = null;
        for (ConsumedRecord row : unreadable.values()) {
            SiteId site = row.partition().site();
            if (site == null) {
                throw new LeadershipRefusedException("A row of our own cannot be read: "
                        + UnreadableOwnRows.describeRow(row, unreadable.size() - 1));
            }
            known.add(site, row);
            aside = site;
        }
        throw new KafkaFailure(KafkaFailure.Kind.OTHER, "rows of site " + aside + " cannot be read", null);
    }

    private void takeDecided(TablePartition tablePartition, Deque<DecodedRecord> queue) {
        long end = decidedUpTo(tablePartition);
        List<DecodedRecord> decided = new ArrayList<>();
        while (!queue.isEmpty() && queue.peekFirst().consumedRecord().offset() < end) {
            decided.add(queue.removeFirst());
        }
        take(decided);
    }

    /** Of a key whose newest record nobody can read no row is taken: an older one may be compacted away or not. */
    private void take(List<DecodedRecord> decided) {
        Set<String> unreadable = new HashSet<>();
        List<RowChange> facts = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        for (DecodedRecord decodedRecord : decided) {
            ConsumedRecord consumedRecord = decodedRecord.consumedRecord();
            RowChange rowChange = decodedRecord.rowChange();
            if (rowChange == null || isRejected(consumedRecord)) {
                unreadable.add(String.valueOf(consumedRecord.record().key()));
            } else {
                unreadable.remove(String.valueOf(consumedRecord.record().key()));
                facts.add(rowChange);
                keys.add(String.valueOf(consumedRecord.record().key()));
                heard(rowChange, consumedRecord.appendedAt());
            }
        }
        for (int i = 0; i < facts.size(); i++) {
            if (!unreadable.contains(keys.get(i))) {
                state.put(facts.get(i));
            }
        }
    }

    /** Whether a record that can be read was not taken all the same, as if it could not. */
    private boolean isRejected(ConsumedRecord consumedRecord) {
        RejectedRecord known =
                !state.rejected().isEmpty() ? state.rejected(RejectedRecordFactory.keyOf(consumedRecord)) : null;
        return known != null && !known.readable() && known.offset() == consumedRecord.offset();
    }

    private void heard(RowChange rowChange, long appended) {
        if (rowChange instanceof WatcherHeartbeat heartbeat) {
            lastHeartbeats.merge(heartbeat.site(), appended, Math::max);
        }
    }

    /** The next offset of a place that has not been decided on or written, by the head rows; zero where they say nothing. */
    long decidedUpTo(TablePartition tablePartition) {
        if (tablePartition.site() == null && TopicId.of(adoptedTopics, tablePartition.table()) != null) {
            return 0;
        }
        return ConsistentCut.decidedUpTo(head, siteHeads, tablePartition);
    }
}
