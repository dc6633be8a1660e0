package dev.flotilla.core;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.row.RowChange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one input leads to: the facts to write, in their order, and why. It is one record of the journal. Nothing has
 * been performed, and no state has changed: whoever asked puts the facts.
 *
 * @param seq the journal record's number; zero where there is nothing to write
 * @param subject what it is about
 * @param reason why, in words; empty where the event says it all
 */
public record Decision(
        long seq,
        Instant at,
        DecisionEvent event,
        @Nullable EntityKey subject,
        String reason,
        List<RowChange> changes) {
    public static final Decision NOTHING = new Decision(0, Instant.EPOCH, DecisionEvent.NOTHING, null, "", List.of());

    /** Whether there is nothing to write and nothing to journal. */
    public boolean isNothing() {
        return seq == 0;
    }
}
