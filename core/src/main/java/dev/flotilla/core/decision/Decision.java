package dev.flotilla.core.decision;

import dev.flotilla.schemas.id.EntityKey;
import dev.flotilla.schemas.row.RowChange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row changes that one input leads to, in their order, with a reason. It is one record of the journal. The state
 * does not change until the caller puts the row changes.
 *
 * @param seq the journal record's number; zero if there is nothing to write
 * @param subject what the decision is about
 * @param reason why, for people; empty if the event says enough
 */
public record Decision(
        long seq,
        Instant at,
        DecisionEvent event,
        @Nullable EntityKey subject,
        String reason,
        List<RowChange> changes) {
    public static final Decision NOTHING = new Decision(0, Instant.EPOCH, DecisionEvent.NOTHING, null, "", List.of());

    /** Whether there is nothing to write or journal. */
    public boolean isNothing() {
        return seq == 0;
    }
}
