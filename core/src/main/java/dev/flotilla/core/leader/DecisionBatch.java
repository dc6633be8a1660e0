package dev.flotilla.core.leader;

import dev.flotilla.core.decision.Decision;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.SiteId;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.SiteHead;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The decisions of one poll, collected for one transaction. */
public final class DecisionBatch {
    private final List<Decision> decisions = new ArrayList<>();
    private final LinkedHashMap<RowKey, RowChange> rows = new LinkedHashMap<>();
    private final Map<RowKey, Long> seqs = new LinkedHashMap<>();
    private final List<JournalRecord> journal = new ArrayList<>();
    private boolean isNothingDue;
    private FleetHead head = FleetHead.NONE;
    private final Map<SiteId, SiteHead> siteHeads = new LinkedHashMap<>();
    private final FleetState state;
    private final String leader;

    public DecisionBatch(FleetState state, String leader) {
        this.state = state;
        this.leader = leader;
    }

    /**
     * Adds a decision and its journal record. If decisions write a key several times, only the last row change is
     * written.
     */
    public void add(Decision decision, JournalRecord record) {
        decisions.add(decision);
        for (RowChange rowChange : decision.changes()) {
            RowKey key = rowChange.rowKey();
            if (!OrchestratorPartitions.isInput(key.table())) {
                rows.putLast(key, rowChange);
                seqs.put(key, decision.seq());
            }
        }
        journal.add(record);
    }

    /**
     * Adds a part of a checkpoint: its journal record repeats rows that the tables already have, so no row is written.
     */
    public void addCheckpoint(Decision part, JournalRecord record) {
        decisions.add(part);
        journal.add(record);
    }

    /**
     * The journal record of a decision. It contains the fleet's head row only if the term, the clock or the chapter has
     * changed; otherwise number, instant and previous hash are enough to restore it.
     */
    public static JournalRecord journalRecordOf(Decision decision, String previous) {
        return new JournalRecord(
                decision.seq(),
                decision.at(),
                decision.event().label(),
                String.valueOf(decision.subject()),
                decision.reason(),
                journaledChanges(decision),
                previous);
    }

    private static List<RowChange> journaledChanges(Decision decision) {
        return switch (decision.event()) {
            case LEADER_ELECTED, CLOCK_SYNC_CHANGED, CHAPTER_STARTED, CHAPTER_COMPLETED -> decision.changes();
            default -> withoutHead(decision.changes());
        };
    }

    private static List<RowChange> withoutHead(List<RowChange> changes) {
        List<RowChange> changesWithoutHead = new ArrayList<>(changes.size());
        for (RowChange rowChange : changes) {
            if (!(rowChange instanceof FleetHead)) {
                changesWithoutHead.add(rowChange);
            }
        }
        return changesWithoutHead;
    }

    void putHead(FleetHead next) {
        head = next;
        rows.put(next.rowKey(), next);
        state.put(next);
    }

    void putHead(SiteHead next) {
        siteHeads.put(next.site(), next);
        rows.put(next.rowKey(), next);
        state.put(next);
    }

    public void setNothingDue(boolean value) {
        isNothingDue = value;
    }

    /** Whether nothing was due when the batch was closed. */
    public boolean isNothingDue() {
        return isNothingDue;
    }

    public List<Decision> decisions() {
        return decisions;
    }

    /** The row changes to write, one for each key. */
    public Map<RowKey, RowChange> rows() {
        return rows;
    }

    /** The number of the decision that wrote the row of a key. */
    public long seq(RowKey key) {
        return seqs.getOrDefault(key, head.seq());
    }

    public List<JournalRecord> journal() {
        return journal;
    }

    public FleetHead head() {
        return head;
    }

    public Map<SiteId, SiteHead> siteHeads() {
        return siteHeads;
    }

    /** The leader's state including this batch. */
    public FleetState state() {
        return state;
    }

    public String leader() {
        return leader;
    }
}
