package dev.flotilla.managementwatcher.publish;

import dev.flotilla.runtime.kafka.ConsumedRecord;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.MachineKey;
import dev.flotilla.schemas.id.ObjectKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.json.WireHeaders;
import dev.flotilla.schemas.json.WireRecord;
import dev.flotilla.schemas.json.WireRecordCodec;
import dev.flotilla.schemas.json.codec.DecodeResult;
import dev.flotilla.schemas.row.MachineRow;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.row.UpgradeIntent;
import dev.flotilla.schemas.row.WatcherHeartbeat;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import dev.flotilla.schemas.topic.Table;
import dev.flotilla.schemas.topic.Topic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the site's own tables say. Nothing else remembers what was published. */
final class PublishedRows {
    private final RowContentHash rowContentHash = new RowContentHash();
    private final Map<ObjectKey, Long> inventory = new HashMap<>();
    private final Map<ObjectKey, UpgradeIntent> intents = new HashMap<>();
    /** What is wrong with rows of our own that nobody can read: something of the object is nothing that may stand in a row. */
    private final Map<ObjectKey, String> unreadableReason = new HashMap<>();

    private final Set<ObjectKey> deleting = new HashSet<>();
    private final Set<Garbage> garbage = new LinkedHashSet<>();
    private final List<Long> removalTimes = new ArrayList<>();
    private int countMachines;
    private @Nullable WatcherHeartbeat heartbeat;

    /** A key with a row that nobody can read, or that is about nothing. */
    private record Garbage(Topic topic, String key) {}

    /** Takes a record of one of the two, as it was read. */
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
        garbage.remove(new Garbage(topic, written));
        if (value == null) {
            if (key instanceof ObjectKey object) {
                if (topic.table() == Table.INVENTORY && object instanceof MachineKey) {
                    boolean announced = isDeleting(object);
                    if (remove(object) && !announced) {
                        removalTimes.add(consumedRecord.appendedAt());
                    }
                } else if (topic.table() == Table.INTENTS) {
                    intents.remove(object);
                } else {
                    remove(object);
                }
            }
        } else if (rowChange instanceof WatcherHeartbeat beat) {
            heartbeat = beat;
        } else if (rowChange instanceof UpgradeIntent intent) {
            intents.put(intent.object(), intent);
        } else if (rowChange != null && key instanceof ObjectKey object && topic.table() == Table.INVENTORY) {
            put(object, rowChange, rowContentHash.hashOf(value));
        } else {
            garbage.add(new Garbage(topic, written));
            if (key instanceof ObjectKey object && topic.table() == Table.INVENTORY) {
                remove(object);
            }
        }
    }

    private boolean remove(ObjectKey key) {
        deleting.remove(key);
        unreadableReason.remove(key);
        boolean was = inventory.remove(key) != null;
        countMachines -= was && key instanceof MachineKey ? 1 : 0;
        return was;
    }

    private void put(ObjectKey key, RowChange rowChange, long print) {
        if (rowChange instanceof MachineRow row && row.deleting()) {
            deleting.add(key);
        } else {
            deleting.remove(key);
        }
        boolean is = inventory.put(key, print) == null;
        countMachines += is && key instanceof MachineKey ? 1 : 0;
    }

    /** Objects with a row in either table. */
    Set<ObjectKey> publishedKeys() {
        Set<ObjectKey> all = new LinkedHashSet<>(inventory.keySet());
        all.addAll(intents.keySet());
        return all;
    }

    boolean hasRow(ObjectKey key) {
        return inventory.containsKey(key);
    }

    /** What is wrong with the row of an object, which is written all the same: it keeps the object from being started. */
    @Nullable
    String unreadableReason(ObjectKey key) {
        return unreadableReason.get(key);
    }

    /** Whether a machine's row says that it is being deleted. */
    boolean isDeleting(ObjectKey key) {
        return deleting.contains(key);
    }

    int countMachines() {
        return countMachines;
    }

    @Nullable
    UpgradeIntent intent(ObjectKey key) {
        return intents.get(key);
    }

    /** Objects whose wishes are intents. */
    Set<ObjectKey> intentKeys() {
        return Set.copyOf(intents.keySet());
    }

    @Nullable
    WatcherHeartbeat heartbeat() {
        return heartbeat;
    }

    /** When machines were removed, as far as that can still be read, in order. */
    List<Long> removalTimes() {
        return List.copyOf(removalTimes);
    }

    /** The record that makes a fact so; null where it is so already. */
    @Nullable
    WireRecord changedRecord(RowChange rowChange) {
        RowKey at = rowChange.rowKey();
        switch (rowChange) {
            case UpgradeIntent intent -> {
                if (intent.equals(intents.put(intent.object(), intent))) {
                    return null;
                }
            }
            case WatcherHeartbeat beat -> heartbeat = beat;
            case Tombstone tombstone -> {
                if (!(at.key() instanceof ObjectKey object)
                        || !(at.table() == Table.INTENTS ? intents.remove(object) != null : remove(object))) {
                    return null;
                }
            }
            default -> {
                return inventoryRow(rowChange);
            }
        }
        return WireRecordCodec.encode(rowChange);
    }

    private @Nullable WireRecord inventoryRow(RowChange rowChange) {
        WireRecord record = WireRecordCodec.encode(rowChange);
        byte[] value = record.value();
        if (!(rowChange.rowKey().key() instanceof ObjectKey object) || value == null) {
            throw new IllegalArgumentException(rowChange.rowKey() + " is no row of a watcher's");
        }
        long print = rowContentHash.hashOf(value);
        Long before = inventory.get(object);
        if (before != null && before == print) {
            return null;
        }
        put(object, rowChange, print);
        if (WireRecordCodec.decode(record) instanceof DecodeResult.Rejected<RowChange> rejected) {
            unreadableReason.put(object, rejected.firstRejection().toString());
        } else {
            unreadableReason.remove(object);
        }
        return record;
    }

    /** Takes what has to go since nobody can read it. */
    List<WireRecord> removeUnreadable() {
        List<WireRecord> tombstones = garbage.stream()
                .map(each ->
                        new WireRecord(each.topic().name(), null, each.key(), null, new WireHeaders(null, null, null)))
                .toList();
        garbage.clear();
        return tombstones;
    }
}
