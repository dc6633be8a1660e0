package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.FleetHead;
import dev.flotilla.auditor.wire.RawRecord;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import dev.flotilla.auditor.wire.SiteHead;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the rows as of one decision, for an auditor that joins after the journal's beginning was deleted: the newest
 * row of each key, and for inputs the newest that was decided on. The journal has whole rows, so what is read of it
 * meanwhile replaces what the tables show.
 */
final class LateJoinSnapshotBuilder {
    private record Numbered(long seq, RowChange change) {}

    private record Placed(int partition, long offset, RowChange change) {}

    private final Map<RowKey, Numbered> outputs = new HashMap<>();
    private final Map<RowKey, RowChange> accepted = new HashMap<>();
    private final Map<RowKey, List<Placed>> inputs = new HashMap<>();
    private final Map<String, Long> next = new HashMap<>();
    private long newest;

    void addOutputRow(RowChange rowChange, long seq) {
        newest = Math.max(newest, seq);
        put(rowChange, seq);
        if (rowChange.row() instanceof FleetHead head) {
            head.offsets().forEach((partition, offset) -> next.put("/" + partition, offset));
        } else if (rowChange.row() instanceof SiteHead head) {
            head.offsets().forEach((partition, offset) -> next.put(head.site() + "/" + partition, offset));
        }
    }

    void addInputRow(RowChange rowChange, RawRecord record) {
        List<Placed> versions = inputs.computeIfAbsent(rowChange.key(), absent -> new ArrayList<>());
        versions.add(new Placed(record.partition(), record.offset(), rowChange));
        while (versions.size() > 1 && isDecided(versions.get(1), rowChange.key())) {
            versions.remove(0);
        }
    }

    void addDecision(long seq, List<RowChange> changes) {
        for (RowChange rowChange : changes) {
            if (rowChange.key().topic().isInput()) {
                accepted.put(rowChange.key(), rowChange);
            } else if (!rowChange.key().topic().isTable("head")) {
                put(rowChange, seq);
            }
        }
    }

    private void put(RowChange rowChange, long seq) {
        Numbered before = outputs.get(rowChange.key());
        if (before == null || before.seq() <= seq) {
            outputs.put(rowChange.key(), new Numbered(seq, rowChange));
        }
    }

    /** Whether the journal has been read up to everything that the tables show. */
    boolean isReady(long journalSeq) {
        return newest <= journalSeq;
    }

    private boolean isDecided(Placed version, RowKey rowKey) {
        String partition = rowKey.topic().site() + "/" + rowKey.topic().table() + "/" + version.partition();
        return version.offset() < next.getOrDefault(partition, 0L);
    }

    /** Puts all rows; returns the number of keys whose row is not known for certain. */
    int buildSnapshot(FleetTables fleetTables) {
        int unknown = 0;
        for (Map.Entry<RowKey, List<Placed>> entry : inputs.entrySet()) {
            RowChange rowChange =
                    accepted.containsKey(entry.getKey()) ? null : newestDecided(entry.getKey(), entry.getValue());
            if (rowChange != null) {
                fleetTables.put(rowChange);
            } else if (!accepted.containsKey(entry.getKey())) {
                unknown++;
            }
        }
        accepted.values().forEach(fleetTables::put);
        List<RowChange> rejections = new ArrayList<>();
        for (Numbered numbered : outputs.values()) {
            if (numbered.change().key().topic().isTable("rejected")) {
                rejections.add(numbered.change());
            } else {
                fleetTables.put(numbered.change());
            }
        }
        rejections.forEach(fleetTables::put);
        return unknown;
    }

    private @Nullable RowChange newestDecided(RowKey rowKey, List<Placed> versions) {
        RowChange found = null;
        for (Placed version : versions) {
            found = isDecided(version, rowKey) ? version.change() : found;
        }
        return found;
    }
}
