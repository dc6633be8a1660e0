package dev.flotilla.campaigncontroller.table;

import dev.flotilla.core.leader.ConsistentCut;
import dev.flotilla.core.leader.OrchestratorPartitions;
import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.CampaignName;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RejectedRecordKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.CampaignStatus;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RejectedRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.TableRow;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.TopicId;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.TablePartition;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of the fleet's topics, without those of sites. Used by one thread. */
public final class FleetTables {
    /** The partitions whose rows are kept. */
    public static final List<TablePartition> PARTITIONS = List.of(
            TablePartition.of(Table.CAMPAIGNS),
            TablePartition.of(Table.POLICIES),
            TablePartition.of(Table.ORDERS),
            TablePartition.of(Table.APPROVALS),
            TablePartition.of(Table.FREEZES),
            TablePartition.of(Table.CAMPAIGN_STATUS),
            TablePartition.of(Table.REJECTED),
            TablePartition.of(Table.HEAD));

    /** The tables of people whose deletions count. Kafka keeps the last policy that was accepted, whatever is deleted. */
    private static final Set<Table> KEEPS_DELETIONS =
            Set.of(Table.CAMPAIGNS, Table.ORDERS, Table.APPROVALS, Table.FREEZES);

    private final SortedMap<String, StoredRow> rows = new TreeMap<>();
    private FleetHead head = FleetHead.NONE;

    /** The head before the last records were read. Rows of one transaction may arrive one after the other: those of this head are here. */
    private FleetHead settledHead = FleetHead.NONE;

    /** Offsets of the deletions of campaigns and orders. */
    private final SortedMap<String, Long> deletions = new TreeMap<>();

    private final List<TopicId> topicIds;

    /**
     * Makes empty tables.
     *
     * @param topicIds the ids of the topics that the records are read from
     */
    public FleetTables(List<TopicId> topicIds) {
        this.topicIds = List.copyOf(topicIds);
    }

    /** Begins to read: what the head says by now is settled. */
    void settle() {
        settledHead = head;
    }

    /** Adds a record. */
    public void add(ConsumedRecord consumed) {
        RowChange change =
                WireRecordCodec.decode(consumed.record()) instanceof DecodeResult.Accepted<RowChange> accepted
                        ? accepted.value()
                        : null;
        if (change instanceof FleetHead next) {
            head = next;
        }
        String key = consumed.record().topic() + " " + consumed.record().key();
        if (change instanceof Tombstone) {
            rows.remove(key);
            if (KEEPS_DELETIONS.contains(change.rowKey().table())) {
                deletions.put(key, consumed.offset());
            }
        } else {
            deletions.remove(key);
            rows.put(key, new StoredRow(consumed.offset(), change));
        }
    }

    /** Returns the newest record of a key; null if there is none. */
    public @Nullable StoredRow stored(RowKey at) {
        return rows.get(keyOf(at));
    }

    private static String keyOf(RowKey at) {
        return new Topic(at.table(), null).name() + " " + RecordKeyFormat.print(at);
    }

    /** Returns the offset of the newest record of a key; -1 if there is none. Of a campaign or an order it may be the deletion. */
    public long newestOffset(RowKey at) {
        StoredRow stored = stored(at);
        return stored == null ? deletions.getOrDefault(keyOf(at), -1L) : stored.offset();
    }

    /** Returns the row of a key; null if there is none, or if it cannot be read. */
    public <R extends TableRow> @Nullable R row(RowKey at, Class<R> type) {
        StoredRow stored = stored(at);
        return stored != null && type.isInstance(stored.row()) ? type.cast(stored.row()) : null;
    }

    /** Returns the status of an accepted campaign; null if none of this name is accepted, or if the key is not a campaign's. */
    public @Nullable CampaignStatus campaignStatus(EntityKey key) {
        return key instanceof CampaignName name
                ? row(new RowKey(Table.CAMPAIGN_STATUS, name), CampaignStatus.class)
                : null;
    }

    /** Returns all readable rows of a type, by their keys. */
    public <R extends TableRow> List<R> rows(Class<R> type) {
        List<R> found = new ArrayList<>();
        for (StoredRow stored : Collections.unmodifiableSortedMap(rows).values()) {
            if (type.isInstance(stored.row())) {
                found.add(type.cast(stored.row()));
            }
        }
        return found;
    }

    /** Whether an orchestrator has decided on the record of an input at an offset. Offsets of an earlier topic of the same name do not count. */
    public boolean isDecided(RowKey at, long offset) {
        String decided = TopicId.of(settledHead.topicIds(), at.table());
        String present = TopicId.of(topicIds, at.table());
        boolean isSame = decided == null || present == null || decided.equals(present);
        return isSame
                && ConsistentCut.decidedUpTo(settledHead, new TreeMap<>(), OrchestratorPartitions.partitionOf(at))
                        > offset;
    }

    /** Returns why a record was rejected; null if it was not, or if that is not decided. */
    public @Nullable RejectedRecord rejection(RowKey at, long offset) {
        RejectedRecordKey key = new RejectedRecordKey(
                Topic.of(at.table()).name(),
                OrchestratorPartitions.partitionOf(at).partition(),
                String.valueOf(RecordKeyFormat.print(at)));
        RejectedRecord rejected = row(new RowKey(Table.REJECTED, key), RejectedRecord.class);
        return rejected != null && rejected.offset() == offset && isDecided(at, offset) ? rejected : null;
    }

    /** Whether any orchestrator has ever decided. */
    public boolean hasLeader() {
        return head.term() > 0;
    }
}
