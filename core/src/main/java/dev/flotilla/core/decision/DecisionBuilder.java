package dev.flotilla.core.decision;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.id.Table;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a decision: its number, its instant and its row changes. */
public final class DecisionBuilder {
    private static final int USUAL_CHANGES = 5;

    private final FleetState state;
    private final long seq;
    private final Instant at;

    /** Allocated with the first row change: most calls write nothing. */
    private List<RowChange> changes = List.of();

    private long term;
    private boolean clockInSync;
    private @Nullable JournalChapter setChapter;

    public DecisionBuilder(FleetState state, Instant now) {
        this.state = state;
        FleetHead head = state.head();
        this.seq = head.seq() + 1;
        this.at = now.isBefore(head.decidedAt()) ? head.decidedAt() : now;
        this.term = head.term();
        this.clockInSync = head.clockInSync();
        this.setChapter = head.chapter();
    }

    public FleetState state() {
        return state;
    }

    /** The number of the journal record, and of an attempt that the decision admits. */
    public long seq() {
        return seq;
    }

    public Instant at() {
        return at;
    }

    public DecisionBuilder write(RowChange rowChange) {
        mutableChanges().add(rowChange);
        return this;
    }

    public DecisionBuilder remove(Table table, EntityKey key) {
        return write(new Tombstone(new RowKey(table, key)));
    }

    public DecisionBuilder startTerm() {
        term++;
        return this;
    }

    public DecisionBuilder setClockInSync(boolean inSync) {
        clockInSync = inSync;
        return this;
    }

    public DecisionBuilder setChapter(JournalChapter next) {
        setChapter = next;
        return this;
    }

    private List<RowChange> mutableChanges() {
        if (changes.isEmpty()) {
            changes = new ArrayList<>(USUAL_CHANGES);
        }
        return changes;
    }

    public Decision build(DecisionEvent event, @Nullable EntityKey subject, String reason) {
        FleetHead head = state.head();
        write(new FleetHead(
                term,
                seq,
                at,
                head.journalHash(),
                head.featureLevel(),
                clockInSync,
                head.offsets(),
                setChapter,
                head.topicIds()));
        return new Decision(seq, at, event, subject, reason, changes);
    }
}
