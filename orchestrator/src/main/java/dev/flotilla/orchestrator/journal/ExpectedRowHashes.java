package dev.flotilla.orchestrator.journal;

import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import dev.flotilla.schemas.topic.RecordKeyFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that the journal leads to, as prints, and how a checkpoint differs from them. While a checkpoint is written,
 * what is decided meanwhile is kept apart: the checkpoint is of the rows before it.
 */
final class ExpectedRowHashes {
    private static final int TOLD = 20;

    /** @param checkpoint the last one that had it */
    private record Known(long print, long checkpoint) {}

    private record Suspect(String what, @Nullable Known before) {}

    private final Map<RowKey, Known> rows = new HashMap<>();
    private final Map<RowKey, Long> since = new LinkedHashMap<>();
    /** Sites whose tables could not be written at some time since the last checkpoint: rows for them may be lost. */
    private final Set<SiteId> away = new LinkedHashSet<>();

    /** The same since the checkpoint that is being written began. */
    private final Set<SiteId> awaySince = new LinkedHashSet<>();

    private final Set<RowKey> closed = new LinkedHashSet<>();
    private final Map<RowKey, Suspect> suspects = new LinkedHashMap<>();
    private boolean known;
    private long open;
    private long excusedRows;
    private long differentRows;

    /** @param known whether there are no rows but those that the journal tells of */
    ExpectedRowHashes(boolean known) {
        this.known = known;
    }

    boolean isComplete() {
        return known;
    }

    /** What a decision wrote or accepted. */
    void applyChange(RowChange rowChange) {
        if (rowChange instanceof FleetHead) {
            return;
        }
        if (rowChange instanceof SiteHead head && head.unreachableSince() != null) {
            away.add(head.site());
            awaySince.add(head.site());
        }
        if (open != 0) {
            since.put(rowChange.rowKey(), RowHash.hashOf(rowChange));
        } else if (known) {
            put(rowChange.rowKey(), RowHash.hashOf(rowChange));
        }
    }

    private void put(RowKey at, long print) {
        if (print == RowHash.NONE) {
            rows.remove(at);
        } else {
            rows.put(at, new Known(print, 0));
        }
    }

    /** A checkpoint begins. */
    void startCheckpoint(long seq, List<SiteId> without) {
        abandon();
        if (!known) {
            rows.clear();
        }
        open = seq;
        away.addAll(without);
        awaySince.clear();
        awaySince.addAll(without);
    }

    /** A row of the checkpoint. Returns whether it is the first of its key. */
    boolean compareRow(RowChange rowChange) {
        if (rowChange instanceof FleetHead) {
            return true;
        }
        RowKey closes = RowHash.closedKey(rowChange);
        if (closes != null) {
            closed.add(closes);
        }
        long print = RowHash.hashOf(rowChange);
        Known before = rows.put(rowChange.rowKey(), new Known(print, open));
        if (before != null && before.checkpoint() == open) {
            return false;
        }
        if (before == null && known) {
            suspects.put(rowChange.rowKey(), new Suspect("is in the checkpoint alone", null));
        } else if (before != null && before.print() != print) {
            suspects.put(rowChange.rowKey(), new Suspect("is another row in the checkpoint", before));
        }
        return true;
    }

    /** The checkpoint is whole. Returns what differs, as far as it is told. */
    List<String> finishCheckpoint() {
        for (Map.Entry<RowKey, Known> row : rows.entrySet()) {
            if (row.getValue().checkpoint() != open) {
                suspects.put(row.getKey(), new Suspect("is not in the checkpoint", row.getValue()));
            }
        }
        rows.values().removeIf(row -> row.checkpoint() != open);
        List<String> told = new ArrayList<>();
        excusedRows = 0;
        differentRows = 0;
        suspects.forEach((at, suspect) -> {
            if (closed.contains(at) || isAway(at)) {
                excusedRows++;
            } else {
                differentRows++;
                if (told.size() < TOLD) {
                    told.add(at + " " + suspect.what());
                }
            }
        });
        known = true;
        away.clear();
        away.addAll(awaySince);
        end();
        return told;
    }

    private boolean isAway(RowKey at) {
        @Nullable SiteId site = at.key() instanceof SiteId id ? id : RecordKeyFormat.siteOf(at);
        return site != null && away.contains(site);
    }

    /** The checkpoint is none: what was decided since it began goes on from the rows before it. */
    private void abandon() {
        suspects.forEach((at, suspect) -> {
            Known before = suspect.before();
            if (before == null) {
                rows.remove(at);
            } else {
                rows.put(at, before);
            }
        });
        end();
    }

    private void end() {
        suspects.clear();
        closed.clear();
        open = 0;
        if (known) {
            since.forEach(this::put);
        }
        since.clear();
    }

    long excusedRows() {
        return excusedRows;
    }

    long differentRows() {
        return differentRows;
    }
}
