package dev.flotilla.orchestrator.journal;

import dev.flotilla.core.Event;
import dev.flotilla.core.fleet.FleetState;
import dev.flotilla.schemas.id.RowKey;
import dev.flotilla.schemas.row.Fact;
import dev.flotilla.schemas.row.FleetHead;
import dev.flotilla.schemas.row.JournalRecord;
import dev.flotilla.schemas.row.SiteHead;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state that the orchestrator had at an instant, from the journal alone: the checkpoint of the last chapter begun by
 * then, and on top what was decided up to it. A checkpoint is written after the record that it is of, so a row of it
 * counts only where nothing was decided about its key since.
 */
public final class PastState {
    private final Instant instant;
    private @Nullable FleetState state;
    private @Nullable FleetState next;
    private final Set<RowKey> since = new HashSet<>();
    private boolean first = true;
    private boolean over;

    public PastState(Instant instant) {
        this.instant = instant;
    }

    /** Takes the journal's next record; returns whether those that follow may matter. */
    public boolean take(JournalRecord record) {
        if (first && record.seq() == 1) {
            state = new FleetState();
        }
        first = false;
        over |= record.time().isAfter(instant);
        Event event = event(record);
        if (event == Event.CHAPTER_BEGUN) {
            since.clear();
            next = over ? null : new FleetState();
        }
        if (event == Event.CHECKPOINTED) {
            record.facts().forEach(this::checkpointed);
        } else if (!over) {
            decided(record);
        }
        if (event == Event.CHAPTER_COMPLETED && next != null) {
            state = next;
            next = null;
            since.clear();
        }
        return !over || next != null;
    }

    private static @Nullable Event event(JournalRecord record) {
        for (Event event : new Event[] {Event.CHAPTER_BEGUN, Event.CHECKPOINTED, Event.CHAPTER_COMPLETED}) {
            if (event.label().equals(record.event())) {
                return event;
            }
        }
        return null;
    }

    private void decided(JournalRecord record) {
        if (state != null) {
            record.facts().forEach(fact -> state.put(unstamped(fact)));
            advance(state, record);
        }
        if (next != null) {
            for (Fact fact : record.facts()) {
                next.put(unstamped(fact));
                since.add(fact.at());
            }
            advance(next, record);
        }
    }

    /** The head is told in full only where more of it is new than its number and its instant. */
    private static void advance(FleetState state, JournalRecord record) {
        FleetHead head = state.head();
        state.put(new FleetHead(
                head.term(), record.seq(), record.time(), "", head.featureLevel(), head.clockAgrees(), List.of()));
    }

    private void checkpointed(Fact fact) {
        if (next != null && !since.contains(fact.at())) {
            next.put(unstamped(fact));
        }
    }

    /**
     * A site's head is stamped at each commit, of which the journal has no record: how far its inputs are read, and how
     * many are in flight, which counts only while it cannot be read.
     */
    private static Fact unstamped(Fact fact) {
        return fact instanceof SiteHead head
                ? new SiteHead(
                        head.site(),
                        head.silentSince(),
                        head.unreachableSince(),
                        head.unreachableSince() == null ? 0 : head.inFlight(),
                        head.unreachableSince() == null ? List.of() : head.budgets(),
                        List.of())
                : fact;
    }

    /** The state; null where the journal does not go back so far. */
    public @Nullable FleetState state() {
        return state;
    }
}
