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
 * The rows as they stand at one decision, for an auditor that joins when the journal's beginning is gone: the newest row
 * of each key, of inputs the newest that was decided on. The journal's facts are whole rows too, so whatever is read of
 * it meanwhile is put over what the tables show.
 */
final class LateJoinSnapshotBuilder {
    private record Numbered(long seq, RowChange fact) {}

    private record Placed(int partition, long offset, RowChange fact) {}

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

    void addInputRow(RowChange rowChange, RawRecord at) {
        List<Placed> versions = inputs.computeIfAbsent(rowChange.key(), absent -> new ArrayList<>());
        versions.add(new Placed(at.partition(), at.offset(), rowChange));
        while (versions.size() > 1 && isDecided(versions.get(1), rowChange.key())) {
            versions.remove(0);
        }
    }

    void addDecision(long seq, List<RowChange> facts) {
        for (RowChange rowChange : facts) {
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

    /** Puts all rows; says of how many keys nothing certain is known. */
    int buildSnapshot(FleetTables fleetTables) {
        int unknown = 0;
        for (Map.Entry<RowKey, List<Placed>> each : inputs.entrySet()) {
            RowChange rowChange =
                    accepted.containsKey(each.getKey()) ? null : newestDecided(each.getKey(), each.getValue());
            if (rowChange != null) {
                fleetTables.put(rowChange);
            } else if (!accepted.containsKey(each.getKey())) {
                unknown++;
            }
        }
        accepted.values().forEach(fleetTables::put);
        List<RowChange> rejections = new ArrayList<>();
        for (Numbered numbered : outputs.values()) {
            if (numbered.fact().key().topic().isTable("rejected")) {
                rejections.add(numbered.fact());
            } else {
                fleetTables.put(numbered.fact());
            }
        }
        rejections.forEach(fleetTables::put);
        return unknown;
    }

    private @Nullable RowChange newestDecided(RowKey rowKey, List<Placed> versions) {
        RowChange found = null;
        for (Placed version : versions) {
            found = isDecided(version, rowKey) ? version.fact() : found;
        }
        return found;
    }

    /** The open attempts' commands are needed to judge what workers say. */
    List<RowChange> commands() {
        List<RowChange> commands = new ArrayList<>();
        for (Numbered numbered : outputs.values()) {
            if (numbered.fact().key().topic().isTable("commands")) {
                commands.add(numbered.fact());
            }
        }
        return commands;
    }
}
