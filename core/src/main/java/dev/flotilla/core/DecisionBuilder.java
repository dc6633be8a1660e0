package dev.flotilla.core;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalChapter;
import dev.flotilla.schemas.row.RowChange;
import dev.flotilla.schemas.row.Tombstone;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision while it is being written: its number, its instant, and the facts so far. */
public final class DecisionBuilder {
    private static final int USUAL_FACTS = 5;

    private final FleetState state;
    private final long seq;
    private final Instant at;

    /** Empty until there is something to write: most questions whether anything is due end without. */
    private List<RowChange> facts = List.of();

    private long term;
    private boolean clockAgrees;
    private @Nullable JournalChapter setChapter;

    public DecisionBuilder(FleetState state, Instant now) {
        this.state = state;
        FleetHead head = state.head();
        this.seq = head.seq() + 1;
        this.at = now.isBefore(head.decidedAt()) ? head.decidedAt() : now;
        this.term = head.term();
        this.clockAgrees = head.clockInSync();
        this.setChapter = head.chapter();
    }

    public FleetState state() {
        return state;
    }

    /** The number of the journal record this will be; an attempt that it admits has the same. */
    public long seq() {
        return seq;
    }

    public Instant at() {
        return at;
    }

    public DecisionBuilder write(RowChange rowChange) {
        facts().add(rowChange);
        return this;
    }

    public DecisionBuilder remove(Table table, EntityKey key) {
        return write(new Tombstone(new RowKey(table, key)));
    }

    DecisionBuilder startTerm() {
        term++;
        return this;
    }

    DecisionBuilder setClockInSync(boolean agrees) {
        clockAgrees = agrees;
        return this;
    }

    DecisionBuilder setChapter(JournalChapter next) {
        setChapter = next;
        return this;
    }

    private List<RowChange> facts() {
        if (facts.isEmpty()) {
            facts = new ArrayList<>(USUAL_FACTS);
        }
        return facts;
    }

    public Decision build(DecisionEvent event, @Nullable EntityKey subject, String reason) {
        FleetHead head = state.head();
        write(new FleetHead(
                term,
                seq,
                at,
                head.journalHash(),
                head.featureLevel(),
                clockAgrees,
                head.offsets(),
                setChapter,
                head.topicIds()));
        return new Decision(seq, at, event, subject, reason, facts);
    }
}
