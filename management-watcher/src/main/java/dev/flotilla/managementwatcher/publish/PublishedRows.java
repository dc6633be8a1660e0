package dev.flotilla.managementwatcher.publish;

import dev.flotilla.kafka.ConsumedRecord;
import dev.flotilla.managementwatcher.report.PublishedObjectRows;
import dev.flotilla.schemas.id.ClusterKey;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.ClusterRow;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.VersionField;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rows in the site's own tables. Nothing else remembers what was published. */
final class PublishedRows implements PublishedObjectRows {
    private final RowContentHash rowContentHash = new RowContentHash();
    private final Map<ObjectKey, Long> inventoryHashes = new HashMap<>();
    private final Map<ObjectKey, UpgradeIntent> intents = new HashMap<>();
    private final Map<ClusterKey, List<VersionField>> versionFields = new HashMap<>();
    /**
     * Objects whose row is rejected by its own codec, with the reason: a value of the object does not fit into a row.
     */
    private final Map<ObjectKey, String> unreadableReason = new HashMap<>();

    private final Set<ObjectKey> deleting = new HashSet<>();
    private final Set<UnreadableKey> unreadableKeys = new LinkedHashSet<>();
    private final List<Long> removalTimes = new ArrayList<>();
    /** How many of these are older than the last heartbeat. */
    private int removalsBeforeHeartbeat;

    private int machineCount;
    private @Nullable WatcherHeartbeat heartbeat;

    /** A key whose row cannot be read, or belongs to no object. */
    private record UnreadableKey(Topic topic, String key) {}

    /** Applies a record of either table. */
    void applyRecord(ConsumedRecord consumedRecord) {
        WireRecord record = consumedRecord.record();
        Topic topic = Topic.parse(record.topic());
        String written = record.key();
        if (topic == null || written == null) {
            return;
        }
        EntityKey key = RecordKeyFormat.parse(topic, written);
        RowChange rowChange = WireRecordCodec.decode(record) instanceof DecodeResult.Accepted<RowChange> accepted
                ? accepted.value()
                : null;
        byte[] value = record.value();
        unreadableKeys.remove(new UnreadableKey(topic, written));
        if (value == null) {
            if (key instanceof ObjectKey object) {
                if (topic.table() == Table.INVENTORY && object instanceof MachineKey) {
                    boolean wasDeleting = isDeleting(object);
                    if (remove(object) && !wasDeleting) {
                        removalTimes.add(consumedRecord.appendedAt());
                    }
                } else if (topic.table() == Table.INTENTS) {
                    intents.remove(object);
                } else {
                    remove(object);
                }
            }
        } else if (rowChange instanceof WatcherHeartbeat beat) {
            forgetAcceptedRemovals(beat);
            heartbeat = beat;
        } else if (rowChange instanceof UpgradeIntent intent) {
            intents.put(intent.object(), intent);
        } else if (rowChange != null && key instanceof ObjectKey object && topic.table() == Table.INVENTORY) {
            put(object, rowChange, rowContentHash.hashOf(value));
        } else {
            unreadableKeys.add(new UnreadableKey(topic, written));
            if (key instanceof ObjectKey object && topic.table() == Table.INVENTORY) {
                remove(object);
            }
        }
    }

    /**
     * Forgets removals that an order accepted: those between a heartbeat with withheld removals and the next one, if
     * that names another order, because it is written together with them. While removals are withheld there are no
     * others.
     */
    private void forgetAcceptedRemovals(WatcherHeartbeat beat) {
        String order = beat.appliedRemovalOrder();
        if (heartbeat != null
                && heartbeat.withheldRemovals() > 0
                && order != null
                && !order.equals(heartbeat.appliedRemovalOrder())) {
            removalTimes.subList(removalsBeforeHeartbeat, removalTimes.size()).clear();
        }
        removalsBeforeHeartbeat = removalTimes.size();
    }

    private boolean remove(ObjectKey key) {
        deleting.remove(key);
        unreadableReason.remove(key);
        if (key instanceof ClusterKey cluster) {
            versionFields.remove(cluster);
        }
        boolean removed = inventoryHashes.remove(key) != null;
        machineCount -= removed && key instanceof MachineKey ? 1 : 0;
        return removed;
    }

    private void put(ObjectKey key, RowChange rowChange, long contentHash) {
        if (rowChange instanceof MachineRow row && row.deleting()) {
            deleting.add(key);
        } else {
            deleting.remove(key);
        }
        if (rowChange instanceof ClusterRow row) {
            versionFields.put(row.key(), row.versionFields());
        }
        boolean added = inventoryHashes.put(key, contentHash) == null;
        machineCount += added && key instanceof MachineKey ? 1 : 0;
    }

    /** Returns the objects with a row in either table. */
    Set<ObjectKey> publishedKeys() {
        Set<ObjectKey> all = new LinkedHashSet<>(inventoryHashes.keySet());
        all.addAll(intents.keySet());
        return all;
    }

    boolean hasRow(ObjectKey key) {
        return inventoryHashes.containsKey(key);
    }

    @Override
    public @Nullable String unreadableReason(ObjectKey key) {
        return unreadableReason.get(key);
    }

    /** Returns the version fields of the clusters. */
    Map<ClusterKey, List<VersionField>> versionFields() {
        return Map.copyOf(versionFields);
    }

    /** Whether the machine's row says that the machine is being deleted. */
    boolean isDeleting(ObjectKey key) {
        return deleting.contains(key);
    }

    int countMachines() {
        return machineCount;
    }

    @Override
    public @Nullable UpgradeIntent intent(ObjectKey key) {
        return intents.get(key);
    }

    @Override
    public Set<ObjectKey> intentKeys() {
        return Set.copyOf(intents.keySet());
    }

    @Nullable
    WatcherHeartbeat heartbeat() {
        return heartbeat;
    }

    /**
     * Returns when machines were removed without an order that accepted it, in order, as far as the tombstones still
     * exist.
     */
    List<Long> removalTimes() {
        return List.copyOf(removalTimes);
    }

    /** Returns the record for a row change, and applies it; null if nothing changes. */
    @Nullable
    WireRecord encodeIfChanged(RowChange rowChange) {
        RowKey rowKey = rowChange.rowKey();
        switch (rowChange) {
            case UpgradeIntent intent -> {
                if (intent.equals(intents.put(intent.object(), intent))) {
                    return null;
                }
            }
            case WatcherHeartbeat beat -> heartbeat = beat;
            case Tombstone tombstone -> {
                if (!(rowKey.key() instanceof ObjectKey object)
                        || !(rowKey.table() == Table.INTENTS ? intents.remove(object) != null : remove(object))) {
                    return null;
                }
            }
            default -> {
                return encodeInventoryRow(rowChange);
            }
        }
        return WireRecordCodec.encode(rowChange);
    }

    private @Nullable WireRecord encodeInventoryRow(RowChange rowChange) {
        WireRecord record = WireRecordCodec.encode(rowChange);
        byte[] value = record.value();
        if (!(rowChange.rowKey().key() instanceof ObjectKey object) || value == null) {
            throw new IllegalArgumentException(rowChange.rowKey() + " is not a row of a watcher's tables");
        }
        long contentHash = rowContentHash.hashOf(value);
        Long before = inventoryHashes.get(object);
        if (before != null && before == contentHash) {
            return null;
        }
        put(object, rowChange, contentHash);
        if (WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected) {
            unreadableReason.put(object, rejected.firstRejection().toString());
        } else {
            unreadableReason.remove(object);
        }
        return record;
    }

    /** Returns tombstones for the rows that cannot be read, and forgets these rows. */
    List<WireRecord> drainUnreadableRows() {
        List<WireRecord> tombstones = unreadableKeys.stream()
                .map(each ->
                        new WireRecord(each.topic().name(), null, each.key(), null, new WireHeaders(null, null, null)))
                .toList();
        unreadableKeys.clear();
        return tombstones;
    }
}
