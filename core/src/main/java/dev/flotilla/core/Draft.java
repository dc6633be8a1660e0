package dev.flotilla.core;

import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.Key;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Chapter;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.Gone;
import dev.flotilla.schemas.topic.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision while it is being written: its number, its instant, and the facts so far. */
public final class Draft {
    private static final int USUAL_FACTS = 5;

    private final FleetState state;
    private final long seq;
    private final Instant at;

    /** Empty until there is something to write: most questions whether anything is due end without. */
    private List<Fact> facts = List.of();

    private long term;
    private boolean clockAgrees;
    private @Nullable Chapter chapter;

    public Draft(FleetState state, Instant now) {
        this.state = state;
        FleetHead head = state.head();
        this.seq = head.seq() + 1;
        this.at = now.isBefore(head.decided()) ? head.decided() : now;
        this.term = head.term();
        this.clockAgrees = head.clockAgrees();
        this.chapter = head.chapter();
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

    public Draft write(Fact fact) {
        facts().add(fact);
        return this;
    }

    public Draft remove(Table table, Key key) {
        return write(new Gone(new RowKey(table, key)));
    }

    Draft nextTerm() {
        term++;
        return this;
    }

    Draft clock(boolean agrees) {
        clockAgrees = agrees;
        return this;
    }

    Draft chapter(Chapter next) {
        chapter = next;
        return this;
    }

    private List<Fact> facts() {
        if (facts.isEmpty()) {
            facts = new ArrayList<>(USUAL_FACTS);
        }
        return facts;
    }

    public Decision decide(Event event, @Nullable Key subject, String reason) {
        FleetHead head = state.head();
        write(new FleetHead(
                term, seq, at, head.chain(), head.featureLevel(), clockAgrees, head.offsets(), chapter, head.topics()));
        return new Decision(seq, at, event, subject, reason, facts);
    }
}
