package dev.flotilla.auditor.check;

import dev.flotilla.auditor.model.FleetTables;
import dev.flotilla.auditor.wire.JournalRecord;
import dev.flotilla.auditor.wire.RowChange;
import dev.flotilla.auditor.wire.RowKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A chapter from which an audit starts that has not read the journal from its first record. The audit starts with the
 * rows of its checkpoint; decisions that were recorded while the checkpoint was written wait until all rows are read.
 */
final class StartingCheckpoint {
    /** A decision that waits, with its append time. */
    record WaitingDecision(JournalRecord decision, long append) {}

    private final long seq;
    private final Map<RowKey, RowChange> rows = new LinkedHashMap<>();
    private final List<WaitingDecision> waitingDecisions = new ArrayList<>();

    StartingCheckpoint(long seq) {
        this.seq = seq;
    }

    long seq() {
        return seq;
    }

    void addRows(List<RowChange> changes) {
        changes.forEach(rowChange -> rows.put(rowChange.key(), rowChange));
    }

    void addWaiting(JournalRecord decision, long append) {
        waitingDecisions.add(new WaitingDecision(decision, append));
    }

    List<WaitingDecision> waitingDecisions() {
        return waitingDecisions;
    }

    /** Puts all rows; rejection rows come last. */
    void putRows(FleetTables fleetTables) {
        List<RowChange> rejections = new ArrayList<>();
        for (RowChange rowChange : rows.values()) {
            if (rowChange.key().topic().isTable("rejected")) {
                rejections.add(rowChange);
            } else {
                fleetTables.put(rowChange);
            }
        }
        rejections.forEach(fleetTables::put);
    }
}
