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
 * Hashes of the rows to which the journal leads, and how a checkpoint differs from them. Decisions that are recorded
 * while a checkpoint is written are kept apart, because the checkpoint is of the rows before them.
 */
final class ExpectedRowHashes {
    private static final int MAX_LISTED = 20;

    /** @param checkpoint the last checkpoint that had the row */
    private record ExpectedRow(long hash, long checkpoint) {}

    private record RowDifference(String what, @Nullable ExpectedRow before) {}

    private final Map<RowKey, ExpectedRow> rows = new HashMap<>();
    private final Map<RowKey, Long> changesSinceStart = new LinkedHashMap<>();
    /** Sites that could not be written at some time since the last checkpoint: their rows may be lost. */
    private final Set<SiteId> unwritableSites = new LinkedHashSet<>();

    /** The same, since the current checkpoint started. */
    private final Set<SiteId> unwritableSinceStart = new LinkedHashSet<>();

    private final Set<RowKey> unreadableKeys = new LinkedHashSet<>();
    private final Map<RowKey, RowDifference> differences = new LinkedHashMap<>();
    private boolean known;
    private long openCheckpoint;
    private long excusedRows;
    private long differentRows;

    /** @param known whether the journal has all rows */
    ExpectedRowHashes(boolean known) {
        this.known = known;
    }

    boolean isComplete() {
        return known;
    }

    /** Applies what a decision wrote or accepted. */
    void applyChange(RowChange rowChange) {
        if (rowChange instanceof FleetHead) {
            return;
        }
        if (rowChange instanceof SiteHead head && head.unreachableSince() != null) {
            unwritableSites.add(head.site());
            unwritableSinceStart.add(head.site());
        }
        if (openCheckpoint != 0) {
            changesSinceStart.put(rowChange.rowKey(), RowHash.hashOf(rowChange));
        } else if (known) {
            put(rowChange.rowKey(), RowHash.hashOf(rowChange));
        }
    }

    private void put(RowKey key, long hash) {
        if (hash == RowHash.NONE) {
            rows.remove(key);
        } else {
            rows.put(key, new ExpectedRow(hash, 0));
        }
    }

    /** Starts a checkpoint. */
    void startCheckpoint(long seq, List<SiteId> excludedSites) {
        dropCheckpoint();
        if (!known) {
            rows.clear();
        }
        openCheckpoint = seq;
        unwritableSites.addAll(excludedSites);
        unwritableSinceStart.clear();
        unwritableSinceStart.addAll(excludedSites);
    }

    /** Compares a row of the checkpoint. Returns whether it is the first of its key. */
    boolean compareRow(RowChange rowChange) {
        if (rowChange instanceof FleetHead) {
            return true;
        }
        RowKey unreadableKey = RowHash.closedKey(rowChange);
        if (unreadableKey != null) {
            unreadableKeys.add(unreadableKey);
        }
        long hash = RowHash.hashOf(rowChange);
        ExpectedRow before = rows.put(rowChange.rowKey(), new ExpectedRow(hash, openCheckpoint));
        if (before != null && before.checkpoint() == openCheckpoint) {
            return false;
        }
        if (before == null && known) {
            differences.put(rowChange.rowKey(), new RowDifference("is only in the checkpoint", null));
        } else if (before != null && before.hash() != hash) {
            differences.put(rowChange.rowKey(), new RowDifference("differs in the checkpoint", before));
        }
        return true;
    }

    /** Ends the checkpoint. Returns the first rows that differ. */
    List<String> finishCheckpoint() {
        for (Map.Entry<RowKey, ExpectedRow> row : rows.entrySet()) {
            if (row.getValue().checkpoint() != openCheckpoint) {
                differences.put(row.getKey(), new RowDifference("is not in the checkpoint", row.getValue()));
            }
        }
        rows.values().removeIf(row -> row.checkpoint() != openCheckpoint);
        List<String> listed = new ArrayList<>();
        excusedRows = 0;
        differentRows = 0;
        differences.forEach((key, difference) -> {
            if (unreadableKeys.contains(key) || wasUnwritable(key)) {
                excusedRows++;
            } else {
                differentRows++;
                if (listed.size() < MAX_LISTED) {
                    listed.add(key + " " + difference.what());
                }
            }
        });
        known = true;
        unwritableSites.clear();
        unwritableSites.addAll(unwritableSinceStart);
        endCheckpoint();
        return listed;
    }

    private boolean wasUnwritable(RowKey key) {
        @Nullable SiteId site = key.key() instanceof SiteId id ? id : RecordKeyFormat.siteOf(key);
        return site != null && unwritableSites.contains(site);
    }

    /** Drops an incomplete checkpoint: decisions since its start apply to the rows before it. */
    private void dropCheckpoint() {
        differences.forEach((key, difference) -> {
            ExpectedRow before = difference.before();
            if (before == null) {
                rows.remove(key);
            } else {
                rows.put(key, before);
            }
        });
        endCheckpoint();
    }

    private void endCheckpoint() {
        differences.clear();
        unreadableKeys.clear();
        openCheckpoint = 0;
        if (known) {
            changesSinceStart.forEach(this::put);
        }
        changesSinceStart.clear();
    }

    long excusedRows() {
        return excusedRows;
    }

    long differentRows() {
        return differentRows;
    }
}
