package dev.flotilla.orchestrator.follow;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.core.leader.RestoredTables;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.kafka.KafkaFailure;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.TablePartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads tables into a state. It applies all committed rows of the orchestrator's own tables, and those inputs that were
 * decided on according to the head rows. The other inputs wait for the next leader.
 */
public final class TableFollower {
    private final RestoredTables tables;
    private final Map<TablePartition, Deque<DecodedRecord>> waitingInputs = new LinkedHashMap<>();
    private final Map<String, ConsumedRecord> unreadable = new LinkedHashMap<>();
    private final List<TopicId> adoptedTopics = new ArrayList<>();
    private long recordCount;
    private final NewestDecisionTracker newestDecision = new NewestDecisionTracker();
    private final DecodeAheadThread decodeAheadThread;

    public TableFollower(DecodeAheadThread decodeAheadThread) {
        this(decodeAheadThread, new RestoredTables());
    }

    private TableFollower(DecodeAheadThread decodeAheadThread, RestoredTables tables) {
        this.decodeAheadThread = decodeAheadThread;
        this.tables = tables;
    }

    /** A follower of more tables, into the state of a running term. */
    public TableFollower forTerm(FleetState state, Map<SiteId, SiteHead> siteHeads) {
        return new TableFollower(decodeAheadThread, new RestoredTables(state, siteHeads));
    }

    public FleetState state() {
        return tables.state();
    }

    public FleetHead head() {
        return tables.head();
    }

    public Map<SiteId, SiteHead> siteHeads() {
        return tables.siteHeads();
    }

    /** The append time of each site's newest heartbeat that was read, in milliseconds. */
    public Map<SiteId, Long> lastHeartbeats() {
        return tables.lastHeartbeats();
    }

    /** Marks partitions as read to their ends: rows of their sites that were not read do not exist. */
    public void markRead(Collection<TablePartition> partitions) {
        for (TablePartition tablePartition : partitions) {
            if (tablePartition.site() != null) {
                state().markRestored(tablePartition.site());
            }
        }
    }

    /**
     * Reads these topics of the fleet from their beginnings, although other topics of the same names were read before.
     */
    void adoptTopics(Collection<TopicId> topics) {
        adoptedTopics.addAll(topics);
    }

    /** The adopted topics that no head row records yet. */
    public List<TopicId> adoptedTopics() {
        return adoptedTopics;
    }

    /** The number of records read so far. */
    public long countRecords() {
        return recordCount;
    }

    /** The newest decision that wrote a row of the orchestrator that was read. */
    public NewestDecisionTracker newestDecision() {
        return newestDecision;
    }

    /** The number of inputs of a partition that wait for a decision. */
    int countWaitingInputs(TablePartition tablePartition) {
        Deque<DecodedRecord> queue = waitingInputs.get(tablePartition);
        return queue == null ? 0 : queue.size();
    }

    Set<TablePartition> waitingPartitions() {
        return waitingInputs.keySet();
    }

    /** Removes and returns all waiting inputs, in order within each partition. */
    public List<DecodedRecord> removeWaitingInputs() {
        List<DecodedRecord> all = new ArrayList<>();
        waitingInputs.values().forEach(all::addAll);
        waitingInputs.clear();
        return all;
    }

    /** Starts to decode polled records. */
    public List<DecodedRecord> decodeRecords(List<ConsumedRecord> reads) {
        return decodeAheadThread.decodeAhead(reads);
    }

    public void applyRecords(List<DecodedRecord> records) {
        recordCount += records.size();
        boolean headChanged = false;
        for (DecodedRecord decodedRecord : records) {
            TablePartition tablePartition = decodedRecord.consumedRecord().partition();
            if (tablePartition.site() != null) {
                tables.followSite(tablePartition.site());
            }
            if (OrchestratorPartitions.isInput(tablePartition.table())) {
                waitingInputs
                        .computeIfAbsent(tablePartition, absent -> new ArrayDeque<>())
                        .add(decodedRecord);
                headChanged = true;
            } else {
                headChanged |= applyOwnRow(decodedRecord);
            }
        }
        if (headChanged) {
            waitingInputs.forEach(this::applyDecidedInputs);
            waitingInputs.values().removeIf(Deque::isEmpty);
        }
    }

    /** Applies one of the orchestrator's own rows; returns whether it says that more inputs were decided on. */
    private boolean applyOwnRow(DecodedRecord decodedRecord) {
        ConsumedRecord consumedRecord = decodedRecord.consumedRecord();
        RowChange rowChange = decodedRecord.rowChange();
        if (rowChange == null) {
            unreadable.put(UnreadableOwnRows.describeKey(consumedRecord), consumedRecord);
            return false;
        }
        if (!unreadable.isEmpty()) {
            unreadable.remove(UnreadableOwnRows.describeKey(consumedRecord));
        }
        Long seq = consumedRecord.record().headers().seqNumber();
        if (seq != null) {
            newestDecision.observeSeq(seq);
        }
        if (rowChange instanceof FleetHead next) {
            newestDecision.raiseLimit(next.seq());
            adoptedTopics.removeIf(topic -> next.topicIds().contains(topic));
        }
        boolean headChanged = tables.applyOwnRow(rowChange);
        requireCurrent(tables.outdatedSite());
        return headChanged;
    }

    private static void requireCurrent(@Nullable SiteId outdated) {
        if (outdated != null) {
            throw new KafkaFailure(
                    KafkaFailure.Kind.RECORDS_LOST,
                    "the topics of site " + outdated + " were adopted and must be read again",
                    null);
        }
    }

    /**
     * Fails if a row of the orchestrator is unreadable and no later row has replaced it. Such a row of the fleet
     * prevents leading; one of a site suspends the site, and everything is read again without it.
     */
    public void requireReadable(UnreadableOwnRows ownRows) {
        if (unreadable.isEmpty()) {
            return;
        }
        SiteId unreadableSite = null;
        for (ConsumedRecord row : unreadable.values()) {
            SiteId site = row.partition().site();
            if (site == null) {
                throw new LeadershipRefusedException("A row that an orchestrator wrote is unreadable: "
                        + UnreadableOwnRows.describeRow(row, unreadable.size() - 1));
            }
            ownRows.addRow(site, row);
            unreadableSite = site;
        }
        throw new KafkaFailure(KafkaFailure.Kind.OTHER, "rows of site " + unreadableSite + " are unreadable", null);
    }

    private void applyDecidedInputs(TablePartition tablePartition, Deque<DecodedRecord> queue) {
        long end = decidedUpTo(tablePartition);
        List<DecodedRecord> decided = new ArrayList<>();
        while (!queue.isEmpty() && queue.peekFirst().consumedRecord().offset() < end) {
            decided.add(queue.removeFirst());
        }
        tables.applyInputs(decided);
    }

    /**
     * The offset of the first record of a partition that was not decided on or written, by the head rows; 0 if they
     * have none.
     */
    public long decidedUpTo(TablePartition tablePartition) {
        if (tablePartition.site() == null && TopicId.of(adoptedTopics, tablePartition.table()) != null) {
            return 0;
        }
        return tables.decidedUpTo(tablePartition);
    }
}
