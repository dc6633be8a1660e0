package dev.flotilla.core.term;

import dev.flotilla.core.Decision;
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

/** What one poll led to, on its way into one transaction. */
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

    /** One decision more, and what the journal says of it. Of several facts about one key the last is written. */
    public void add(Decision decision, JournalRecord said) {
        decisions.add(decision);
        for (RowChange rowChange : decision.changes()) {
            RowKey at = rowChange.rowKey();
            if (!OrchestratorPartitions.isInput(at.table())) {
                rows.putLast(at, rowChange);
                seqs.put(at, decision.seq());
            }
        }
        journal.add(said);
    }

    /** A part of a checkpoint: what the journal says of it are rows that stand already, so none is written. */
    public void addCheckpoint(Decision part, JournalRecord record) {
        decisions.add(part);
        journal.add(record);
    }

    /**
     * What the journal says of a decision. Its number, its instant and the hash before it say what the fleet's head has
     * become, which is told in full only where the term, the clock's verdict or the journal's chapter is new.
     */
    public static JournalRecord journalRecordOf(Decision decision, String previous) {
        return new JournalRecord(
                decision.seq(),
                decision.at(),
                decision.event().label(),
                String.valueOf(decision.subject()),
                decision.reason(),
                told(decision),
                previous);
    }

    private static List<RowChange> told(Decision decision) {
        return switch (decision.event()) {
            case LEADER_ELECTED, CLOCK_SYNC_CHANGED, CHAPTER_STARTED, CHAPTER_COMPLETED -> decision.changes();
            default -> withoutHead(decision.changes());
        };
    }

    private static List<RowChange> withoutHead(List<RowChange> facts) {
        List<RowChange> told = new ArrayList<>(facts.size());
        for (RowChange rowChange : facts) {
            if (!(rowChange instanceof FleetHead)) {
                told.add(rowChange);
            }
        }
        return told;
    }

    void putHead(FleetHead stamped) {
        head = stamped;
        rows.put(stamped.rowKey(), stamped);
        state.put(stamped);
    }

    void putHead(SiteHead stamped) {
        siteHeads.put(stamped.site(), stamped);
        rows.put(stamped.rowKey(), stamped);
        state.put(stamped);
    }

    public void setNothingDue(boolean value) {
        isNothingDue = value;
    }

    /** Whether nothing was left to do when it was closed: all that was due had been decided. */
    public boolean isNothingDue() {
        return isNothingDue;
    }

    public List<Decision> decisions() {
        return decisions;
    }

    /** What is written, a fact a key. */
    public Map<RowKey, RowChange> rows() {
        return rows;
    }

    /** The decision that wrote what is written under a key. */
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

    /** The leader's state with all of this in it. */
    public FleetState state() {
        return state;
    }

    public String leader() {
        return leader;
    }
}
