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
 * A chapter from which an audit may begin, for one that has not been there from the journal's first record: the rows of
 * its checkpoint are where it starts, and what was decided while they were written waits until all of them are there.
 */
final class StartingCheckpoint {
    /** A decision that waits, with when the broker took it. */
    record WaitingDecision(JournalRecord decision, long append) {}

    private final long seq;
    private final Map<RowKey, RowChange> addRows = new LinkedHashMap<>();
    private final List<WaitingDecision> waitingDecisions = new ArrayList<>();

    StartingCheckpoint(long seq) {
        this.seq = seq;
    }

    long seq() {
        return seq;
    }

    void addRows(List<RowChange> facts) {
        facts.forEach(rowChange -> addRows.put(rowChange.key(), rowChange));
    }

    void addWaiting(JournalRecord decision, long append) {
        waitingDecisions.add(new WaitingDecision(decision, append));
    }

    List<WaitingDecision> waitingDecisions() {
        return waitingDecisions;
    }

    /** Puts all rows; what is kept of an unreadable record's key comes last. */
    void putRows(FleetTables fleetTables) {
        List<RowChange> rejections = new ArrayList<>();
        for (RowChange rowChange : addRows.values()) {
            if (rowChange.key().topic().isTable("rejected")) {
                rejections.add(rowChange);
            } else {
                fleetTables.put(rowChange);
            }
        }
        rejections.forEach(fleetTables::put);
    }
}
